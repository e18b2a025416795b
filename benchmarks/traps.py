TRAPS: tuple[str, ...] = ()
