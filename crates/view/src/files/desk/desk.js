// Keys and a clock for pages that work as plain forms without this file.
document.documentElement.classList.add("keys");
const typing = (target) => target.matches && target.matches("textarea, select, input:not([type=radio]):not([type=checkbox])");

// What a page has beside its forms and links, until another takes its place. Gives what a key does there.
const begin = (signal) => {
  const form = document.getElementById("decide");
  // What sticks below the header, and where a jump ends, follow its height.
  const header = document.querySelector("header");
  const fit = () => document.documentElement.style.setProperty("--header", `${header.offsetHeight}px`);
  if (header) { fit(); addEventListener("resize", fit, { signal }); }

  // Seconds that the item was looked at: those in which the page could be seen.
  let seen = 0, since = document.hidden ? null : performance.now();
  const pause = () => { if (since !== null) { seen += performance.now() - since; since = null; } };
  document.addEventListener("visibilitychange", () => { if (document.hidden) pause(); else if (since === null) since = performance.now(); }, { signal });
  if (form) form.addEventListener("submit", () => { pause(); document.getElementById("seconds").value = String(Math.round(seen / 1000)); });

  // Groups of choices: one for an item, or one for each sentence or person. Digits choose in the one that is in the frame.
  const groups = [...document.querySelectorAll("[data-group]")];
  let at = groups.length > 1 ? Math.max(0, groups.findIndex((group) => !group.querySelector("input:checked"))) : 0;
  const frame = (next, moves) => {
    at = Math.max(0, Math.min(groups.length - 1, next));
    groups.forEach((group, index) => group.classList.toggle("here", groups.length > 1 && index === at));
    if (moves && groups[at]) groups[at].scrollIntoView({ block: "nearest" });
  };
  if (groups.length > 0) frame(at, false);
  document.addEventListener("focusin", (event) => {
    const group = event.target.closest("[data-group]");
    if (group) frame(groups.indexOf(group), false);
  }, { signal });
  const choose = (digit) => {
    const input = groups[at] && groups[at].querySelector(`input[data-digit="${digit}"]`);
    if (!input) return false;
    // One digit too many does not take the choice that would lose what was written or labelled.
    if (input.name === "choice" && form.dataset.of && input.value !== form.dataset.of && changed()) {
      tell(`“${input.value}” would lose what you wrote: “${form.dataset.of}” keeps it, and the page loaded anew has none of it.`);
      return true;
    }
    const was = input.checked;
    input.checked = true;
    input.focus();
    if (!was) input.dispatchEvent(new Event("input", { bubbles: true }));
    if (at + 1 < groups.length) frame(at + 1, true);
    return true;
  };

  // Who changes a text or a cast, or labels a sentence, takes the choice that does so; who puts all back as it was has the
  // choice that was there.
  const CHANGES = "#text, .written textarea, .written select, .sentence input, .sentence select";
  const differs = (field) => {
    if (field.matches("select")) return field.selectedIndex !== Math.max(0, [...field.options].findIndex((option) => option.defaultSelected));
    if (field.matches("[type=radio], [type=checkbox]")) return field.checked !== field.defaultChecked;
    return field.value !== field.defaultValue;
  };
  const changed = () => [...form.querySelectorAll(CHANGES)].some(differs) || (form.querySelector(".written") && told() !== first);
  const follow = () => {
    const is = changed();
    for (const input of form.querySelectorAll("input[name=choice]")) input.checked = is ? input.value === form.dataset.of : input.defaultChecked;
  };
  if (form && form.dataset.of) form.addEventListener("input", (event) => {
    const label = event.target.matches("input[name^='label.']") && event.target;
    // What is borne out has no kind of error.
    if (label && !["unfaithful", "partial"].includes(label.value)) label.closest("fieldset").querySelectorAll(".kinds input").forEach((kind) => { kind.checked = false; });
    if (event.target.matches(CHANGES)) follow();
  });

  // Evidence: words of the text, each with its place in symbols. They are looked for when somebody marks, and stand in
  // elements of their own a sentence at a time, when one of them is marked or framed: a page may have thousands.
  const picks = [...document.querySelectorAll(".pick")];
  const marks = document.getElementById("marks");
  let all = null;
  const words = () => all = all || picks.flatMap(wordsOf);
  const parts = (node) => node.nodeType === Node.TEXT_NODE ? node.data.match(/\s+|\S+/g) : [];
  function wordsOf(pick) {
    const [of, start] = pick.querySelector("input").value.split(":");
    const found = [];
    let at = Number(start);
    for (const node of pick.childNodes) {
      // A word or a blank with letters that are not seen says how many symbols it has.
      const odd = node.dataset && node.dataset.symbols;
      for (const text of odd ? [node.textContent] : parts(node)) {
        const end = at + (odd ? Number(odd) : [...text].length);
        if (text.trim()) found.push({ pick, own: found, of, start: at, end, text, element: odd ? node : null, marked: false });
        at = end;
      }
    }
    return found;
  }
  function element(word) {
    if (!word.element) {
      const own = word.own.filter((one) => !one.element).values();
      for (const node of [...word.pick.childNodes]) {
        const made = parts(node).map((text) => {
          if (!text.trim()) return text;
          const span = document.createElement("span");
          span.className = "w";
          span.textContent = text;
          return own.next().value.element = span;
        });
        if (made.length > 0) node.replaceWith(...made);
      }
    }
    return word.element;
  }
  // Two passages may show the same part of one book.
  const books = Object.fromEntries([...document.querySelectorAll(".passage")].map((part) => [part.dataset.at, part.dataset.book]));
  const same = (one, other) => books[one.of] === books[other.of];
  let spans = [], first = "";
  const told = () => spans.map((span) => `${span.of}:${span.start}:${span.end}`).join(" ");
  let from = -1, to = -1, unit = "word", framed = [];
  if (form && picks.length > 0) {
    const boxes = [...document.querySelectorAll("input[name=span]")];
    spans = [...document.querySelectorAll("[data-spans]")].flatMap((part) => part.dataset.spans.split(" ")).map((span) => {
      const [of, start, end] = span.split(":");
      return { of, start: Number(start), end: Number(end) };
    });
    first = told();
    boxes.forEach((box) => { box.disabled = true; });
    document.addEventListener("click", (event) => {
      const pick = event.target.closest(".pick");
      if (!pick) return;
      event.preventDefault();
      words().filter((word) => word.pick === pick).forEach(element);
      const hit = event.target.closest(".w") || document.elementFromPoint(event.clientX, event.clientY);
      const index = words().findIndex((word) => word.element === hit);
      if (index < 0) return;
      from = to = index;
      spread();
      toggle();
    }, { signal });
    if (spans.length > 0) mark();
    draw();
  }
  function within(word, span) {
    return same(word, span) && word.start >= span.start && word.end <= span.end;
  }
  // Which words are marked, and what the form says of it. A page may have thousands of words: only those that differ are touched.
  function mark() {
    for (const word of words()) {
      const is = spans.some((span) => within(word, span));
      if (word.marked !== is) element(word).classList.toggle("marked", is);
      word.marked = is;
    }
    form.querySelectorAll("input[data-made]").forEach((input) => input.remove());
    // That none is marked any more is said too.
    const all = spans.map((span) => `${span.of}:${span.start}:${span.end}`);
    for (const span of all.length > 0 || !first ? all : [""]) {
      const input = document.createElement("input");
      input.type = "hidden";
      input.name = "span";
      input.dataset.made = "1";
      input.value = span;
      form.append(input);
    }
  }
  // The frame around what is selected.
  function draw() {
    const now = from >= 0 ? words().slice(from, to + 1) : [];
    framed.filter((word) => !now.includes(word)).forEach((word) => element(word).classList.remove("here"));
    now.forEach((word) => element(word).classList.add("here"));
    framed = now;
    const many = spans.length + form.querySelectorAll("input[name=kept]").length;
    const count = many === 1 ? "1 place is marked" : `${many} places are marked`;
    if (marks) marks.textContent = from >= 0 ? `${count}; by ${unit}: ${now.slice(0, 20).map((word) => word.text).join(" ").slice(0, 80)}` : `${count}; e selects evidence`;
  }
  // The whole unit around what is selected.
  function spread() {
    if (unit === "word") return;
    const holder = (word) => unit === "sentence" ? word.pick : word.pick.parentNode;
    const all = words(), first = holder(all[from]), last = holder(all[to]);
    while (from > 0 && holder(all[from - 1]) === first) from -= 1;
    while (to + 1 < all.length && holder(all[to + 1]) === last) to += 1;
  }
  function move(by, stretches) {
    const next = by > 0 ? to + 1 : from - 1;
    if (next < 0 || next >= words().length) return;
    const [first, last] = [from, to];
    from = to = next;
    spread();
    if (stretches) { from = Math.min(first, from); to = Math.max(last, to); }
    draw();
    element(words()[by > 0 ? to : from]).scrollIntoView({ block: "nearest" });
  }
  function toggle() {
    const first = words()[from], last = words()[to];
    if (!same(first, last)) return;
    const span = { of: first.of, start: first.start, end: last.end };
    const over = (one) => same(one, span) && one.start < span.end && span.start < one.end;
    const whole = words().slice(from, to + 1).every((word) => word.marked);
    const rest = spans.filter((one) => !over(one));
    if (!whole) {
      const met = spans.filter(over);
      rest.push({ of: span.of, start: Math.min(span.start, ...met.map((one) => one.start)), end: Math.max(span.end, ...met.map((one) => one.end)) });
    }
    spans = rest.sort((a, b) => Number(a.of) - Number(b.of) || a.start - b.start);
    mark();
    draw();
    if (form.querySelector(".written")) follow();
  }
  const selecting = (key, shift) => {
    if (picks.length === 0 || !form) return false;
    if (from < 0) {
      if (key !== "e") return false;
      from = to = Math.max(0, words().findIndex((word) => word.marked));
      spread(); draw(); element(words()[from]).scrollIntoView({ block: "center" });
      return true;
    }
    const units = { w: "word", s: "sentence", p: "paragraph" };
    if (key === "ArrowRight") move(1, shift);
    else if (key === "ArrowLeft") move(-1, shift);
    else if (units[key]) { unit = units[key]; if (unit === "word") to = from; spread(); draw(); }
    else if (key === " ") toggle();
    else if (key === "Escape" || key === "e") { from = to = -1; draw(); }
    else return false;
    return true;
  };

  // What the form would send, but for the clock.
  const says = () => [...new FormData(form)].filter(([name]) => !["seconds", "shown"].includes(name)).join("\n");
  const clean = form && says();
  unsaved = () => form && says() !== clean;

  // Whether the key did something.
  return (key, shift, target) => {
    if ((key === "?" || key === "Escape") && document.querySelector(".keys-table")) { history.back(); return true; }
    if (selecting(key, shift)) return true;
    if (/^[0-9]$/.test(key) && choose(key)) return true;
    if (groups.length > 1 && key === "ArrowDown" && from < 0) { frame(at + 1, true); return true; }
    if (groups.length > 1 && key === "ArrowUp" && from < 0) { frame(at - 1, true); return true; }
    if (key === "Enter" && target.matches("a, button, summary")) return false;
    if (key === "Enter" && form) { form.requestSubmit(document.getElementById("save")); return true; }
    const element = document.querySelector(`[data-key="${CSS.escape(key)}"]`);
    if (!element) return false;
    if (element.matches("textarea")) element.focus(); else element.click();
    return true;
  };
};
// Whether the page holds what is not saved, and where it was asked to go in spite of that.
let unsaved = () => false, warned = "";
let listening = new AbortController();
let press = begin(listening.signal);

// Who answers: the server of these pages. In a packet (`packet.js`) there is none, and its own script answers.
const server = globalThis.packet || {
  async ask(address, sent) {
    const answer = await fetch(address, sent ? { method: "POST", body: sent } : {});
    const text = await answer.text();
    const isPage = (answer.headers.get("content-type") || "").startsWith("text/html");
    return { ok: answer.ok, url: answer.url, text, next: new DOMParser().parseFromString(isPage ? text : "", "text/html") };
  },
  here: () => location.pathname + location.search,
  goes: (address) => { if (address !== location.href) history.pushState(null, "", address); },
};

// The next page takes the place of this one in the same document: to make a new one costs a browser more than all
// that the page holds. What is no page of these is left to the browser. Where a form is refused, it stays as it is.
const held = [];
const tell = (text) => {
  held.length = 0;
  const line = document.createElement("p");
  line.className = "told-now wrong";
  line.textContent = text;
  document.querySelector(".status").replaceChildren(line);
};
// Who leaves a page with what is not saved is told so once.
const leaves = (address) => {
  if (!unsaved() || warned === address) return true;
  warned = address;
  tell("What is on this page is not saved. The same once more leaves it.");
  return false;
};
const show = (next) => {
  warned = "";
  listening.abort();
  listening = new AbortController();
  document.title = next.title;
  for (const part of ["header", "main"]) document.querySelector(part).replaceWith(next.querySelector(part));
  // This element stays, so that what it says is read aloud.
  document.querySelector(".status").replaceChildren(...next.querySelector(".status").childNodes);
  press = begin(listening.signal);
  // What comes last asks for the layout, which is made once.
  const main = document.getElementById("main");
  main.tabIndex = -1;
  (main.querySelector("[autofocus]") || main).focus({ preventScroll: true });
  scrollTo(0, 0);
};
let shown = server.here(), busy = false, turn = 0;
const go = async (address, sent) => {
  const mine = turn += 1;
  busy = true;
  try {
    const { ok, url, text, next } = await server.ask(address, sent);
    const said = [...next.querySelectorAll(".refused")].map((part) => part.textContent).join(". ");
    const refused = sent && !ok && (said || `Not saved: ${text.slice(0, 300)}`);
    // Somebody went back meanwhile.
    if (mine !== turn) { if (refused) tell(refused); return; }
    if (refused) {
      tell(refused);
      // Who saves it again knows what has changed since.
      const [own, now] = [document, next].map((page) => page.getElementById("shown"));
      if (own && now) own.value = now.value;
    } else if (next.querySelector("header ~ .status ~ #main")) {
      server.goes(url);
      shown = server.here();
      show(next);
    } else if (sent) tell("Not saved: what answers here is not the server of this page. What you wrote is still here.");
    else location.assign(url);
  } catch {
    if (sent) tell("Not saved, as far as this page knows: the server did not answer. What you wrote is still here; save it again once the server is there.");
    else if (mine === turn) tell("The server does not answer.");
  }
  if (mine !== turn) return;
  busy = false;
  // Keys that came too early are of the page that is there now.
  while (held.length > 0 && !busy) press(...held.shift(), document.activeElement);
};
document.addEventListener("click", (event) => {
  const link = event.target.closest("a[href]");
  if (!link || event.defaultPrevented || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  if (link.target || link.hasAttribute("download") || link.origin !== location.origin) return;
  if (link.hash && link.pathname + link.search === location.pathname + location.search) return;
  event.preventDefault();
  if (!busy && leaves(link.href)) go(link.href);
});
document.addEventListener("submit", (event) => {
  if (event.defaultPrevented || event.target.method !== "post") return;
  event.preventDefault();
  if (!busy && (event.target.id === "decide" || leaves(event.target.action))) go(event.target.action, new URLSearchParams(new FormData(event.target, event.submitter)));
});
addEventListener("popstate", () => {
  if (server.here() === shown) return;
  if (leaves("back")) go(server.here());
  else server.goes(shown);
});
addEventListener("beforeunload", (event) => { if (unsaved()) event.preventDefault(); });

document.addEventListener("keydown", (event) => {
  if (typing(event.target)) {
    const form = event.target.form;
    if (event.key === "Escape") event.target.blur();
    else if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && form && form.id === "decide") { event.preventDefault(); form.requestSubmit(document.getElementById("save")); }
    return;
  }
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (busy) held.push([event.key, event.shiftKey]);
  if (busy || press(event.key, event.shiftKey, event.target)) event.preventDefault();
});
