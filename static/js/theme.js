// Sets the theme before anything is drawn, so that no page flashes in the wrong one; no module, because those run late.
document.documentElement.dataset.theme = localStorage.getItem("theme") ?? "";
