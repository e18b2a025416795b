// Sets the theme before anything is drawn, so that no page flashes in the wrong one; no module, because those run late.
try {
  const theme = localStorage.getItem("theme");
  document.documentElement.dataset.theme = ["light", "dark"].includes(theme) ? theme : "";
} catch {
  document.documentElement.dataset.theme = ""; // Where a browser keeps nothing, the system's it is.
}
