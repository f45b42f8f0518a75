// Keys for what pages show anyway. Without this file every link works, and answers stand open.
document.documentElement.classList.add("keys");
document.addEventListener("DOMContentLoaded", () => {
  const body = document.body;
  const remember = (name, value) => { try { sessionStorage.setItem(name, value); } catch { /* no storage in files */ } };
  const remembered = (name) => { try { return sessionStorage.getItem(name); } catch { return null; } };
  const show = (open) => { body.classList.toggle("answered", open); remember("answered", open ? "1" : ""); };
  show(remembered("answered") === "1" || location.hash === "#answer");
  // Pieces of one evidence stand side by side.
  const marks = [...document.querySelectorAll("mark.evidence")].filter((mark) => mark.previousSibling?.nodeName !== "MARK");
  let seen = -1;
  const evidence = () => {
    if (marks.length === 0) return;
    seen = (seen + 1) % marks.length;
    marks[seen].scrollIntoView({ block: "center" });
  };
  const step = (by) => {
    const scenes = [...document.querySelectorAll("section.scene[id], section.person, .pair.has-cut")];
    const at = scenes.findIndex((scene) => scene.getBoundingClientRect().bottom > 60);
    // A long book goes on in another part of it.
    const beside = document.querySelector(by > 0 ? "a[rel=next]" : "a[rel=prev]");
    if (beside && (by > 0 ? at === scenes.length - 1 : at === 0)) { beside.click(); return; }
    const next = scenes[Math.max(0, Math.min(scenes.length - 1, at + by))];
    if (next) next.scrollIntoView();
  };
  // What nav and page name, in one list; it goes with the next key, or a click.
  const list = document.createElement("dialog");
  list.className = "all-keys";
  list.setAttribute("aria-label", "Keys");
  const names = { Enter: "the first row", "/": "search", "?": "this list", h: "the first page" };
  const keys = () => {
    const rows = [...document.querySelectorAll("[data-key]")].map((element) => {
      const row = document.createElement("p");
      const key = document.createElement("kbd");
      key.textContent = element.dataset.key;
      const says = element.textContent.replace(element.dataset.key, "").trim();
      row.append(key, ` ${names[element.dataset.key] ?? says}`);
      return row;
    });
    list.replaceChildren(...rows);
    body.append(list);
    list.showModal();
  };
  list.addEventListener("click", () => list.close());
  const act = (element) => {
    if (element.dataset.do === "keys") keys();
    else if (element.dataset.do === "answer") show(!body.classList.contains("answered"));
    else if (element.dataset.do === "evidence") evidence();
    else if (element.dataset.step) step(element.dataset.step === "back" ? -1 : 1);
    else if (element.tagName === "INPUT") element.focus();
    else element.click();
  };
  document.addEventListener("click", (event) => {
    const element = event.target.closest("[data-do], [data-step]");
    if (!element) return;
    event.preventDefault();
    act(element);
  });
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (list.open) { list.close(); event.preventDefault(); return; }
    const typing = /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName);
    if (typing) { if (event.key === "Escape") event.target.blur(); return; }
    if (event.key === "Enter" && event.target !== body) return;
    const element = document.querySelector(`[data-key="${CSS.escape(event.key)}"]`);
    if (!element) return;
    event.preventDefault();
    act(element);
  });
  // The header may take several lines: what sticks below it, and where a jump ends, follow its height.
  const header = document.querySelector("header");
  new ResizeObserver(() => document.documentElement.style.setProperty("--header", `${header.offsetHeight}px`)).observe(header);
  // The moment of asking, unless the address says where to look.
  const now = document.getElementById("now");
  if (now && !location.hash && innerWidth > 1000) now.scrollIntoView({ block: "center" });
});
