/** What to do after a build has failed; what went wrong says the service itself. */

/** Words of messages, in the order in which they are looked for, and what to do then. */
const KNOWN = [
  [/web page came/, () => gettext("Open the address in a browser. If the site wants to see that you are no robot, download the file there and build from it on the machine that runs the service.")],
  [/not trusted|trusted by https|trusted on its usual|no address to download/, () => gettext("Take another address, or have its host added to the trusted ones (PUBMETA_TRUSTED_HOSTS), and start again.")],
  [/--allow-shrink|no publication at all/, () => gettext("See whether the dump is the right one. If it is, switch on “Publish even if much smaller” and start again.")],
  [/MB (free|more|are needed)|No space left|disk is full|disk I\/O/i, () => gettext("Make room on the disk and start again. If there can be no more room, switch on “Remove the old store first”.")],
  [/md5|checksum|not a gzip|archive is damaged/, () => gettext("What came is not what was announced. Start again later; if it stays so, take another release by its address.")],
  [/killed|memory|SIGKILL|process .*died/i, () => gettext("Somebody has ended its process, or the machine ran out of memory. Start again; with fewer rows written at once a build takes less memory.")],
];

/** What to do where nothing is known but how far the build came. */
const BY_PHASE = {
  download_dtd: () => gettext("See whether the address is right and can be reached from the machine that runs the service, and start again."),
  download_xml_gz: () => gettext("Start again, now or later: what has arrived is kept, and the download goes on from there."),
  decompress_xml: () => gettext("The dump cannot be read. Start again; if it stays so, take another release by its address."),
  build_db: () => gettext("The dump cannot be read to its end. Start again; if it stays so, take another release by its address."),
};

/** Say what to do after a build has failed in a phase with a message. */
export function advice(message, phase) {
  const known = KNOWN.find(([words]) => words.test(message))?.[1] ?? BY_PHASE[phase];
  return (known ?? (() => gettext("Start again; if it stays so, the log below and that of the service say more.")))();
}
