// A packet: pages of a desk that are sealed in this one file. It opens them with a passphrase and answers in the place of
// a server. What is decided is sealed too, before the browser keeps it and before it goes into a file. It asks nothing of
// any address, and no address and no title says what is read.
{
  const element = (id) => document.getElementById(id);
  const bytes = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const text = (bytes) => {
    let all = "";
    for (const byte of bytes) all += String.fromCharCode(byte);
    return btoa(all);
  };
  const title = document.title, tag = document.body.dataset.packet, place = `storymill packet ${tag}`;
  // What was sealed; what was decided, item by item, in the order in which it was; whether the browser keeps it, or a file.
  let inside = null, said = new Map(), kept = true;

  const counted = (count, word) => `${count} ${word}${count === 1 ? "" : "s"}`;
  const time = (seconds) => seconds < 90 ? counted(seconds, "second") : counted(Math.round(seconds / 60), "minute");
  const value = (fields, name) => (fields.find(([own]) => own === name) || ["", ""])[1];
  const seconds = () => [...said.values()].reduce((sum, fields) => sum + Number(value(fields, "seconds")), 0);
  const left = () => inside.items.filter((item) => !said.has(item.id));
  const item = (id) => inside.items.find((item) => item.id === id);
  const tells = (status, text, wrong) => {
    const line = document.createElement("p");
    line.className = wrong ? "told-now wrong" : "told-now";
    line.textContent = text;
    status.replaceChildren(line);
  };
  const status = (text, wrong) => tells(document.querySelector(".status"), text, wrong);

  // One file for both: it is sent to the maintainers, and goes on here with the packet's own key.
  const seal = () => {
    const sealing = new age.Encrypter();
    [...inside.to, inside.keeper].forEach((key) => sealing.addRecipient(key));
    const votes = [...said].map(([item, fields]) => ({ item, fields }));
    return sealing.encrypt(JSON.stringify({ version: 1, packet: inside.packet, digest: inside.digest, for: inside.for, votes }));
  };
  // Takes in what was sealed; how many items it answers that were not answered here.
  const take = async (sealed) => {
    const opening = new age.Decrypter();
    opening.addIdentity(inside.key);
    const votes = JSON.parse(await opening.decrypt(sealed, "text"));
    if (votes.packet !== inside.packet) throw Error("another packet");
    const fresh = votes.votes.filter(({ item: id }) => item(id) && !said.has(id));
    fresh.forEach(({ item, fields }) => said.set(item, fields));
    return fresh.length;
  };
  const keep = async () => {
    try {
      localStorage.setItem(place, text(await seal()));
      kept = true;
    } catch {
      kept = said.size === 0;
    }
  };
  // Takes in what the browser kept; what is wrong with it, if anything is.
  const restore = async () => {
    try {
      const sealed = localStorage.getItem(place);
      if (sealed) await take(bytes(sealed));
      return "";
    } catch {
      return "What this browser kept of your votes cannot be read. If you have saved a file, open it below.";
    }
  };
  const save = async () => {
    const url = URL.createObjectURL(new Blob([await seal()], { type: "application/octet-stream" }));
    const link = document.createElement("a");
    link.href = url;
    link.download = `votes-${tag}.age`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(url), 60_000);
    kept = true;
    element("lost").hidden = true;
    const rest = left().length;
    const then = rest ? `${counted(rest, "item")} still open: choose that file here to go on, on this or another computer, and send it back in the end.` : "Send that file back.";
    status(`Saved ${counted(said.size, "answer")} in votes-${tag}.age. ${then}`);
  };

  // What was said of an item, as its form shows it.
  const fill = (page, fields) => {
    const form = page.getElementById("decide");
    for (const [name, value] of fields.filter(([name]) => !["seconds", "span"].includes(name))) {
      for (const field of form.querySelectorAll(`[name="${CSS.escape(name)}"]`)) {
        if (field.matches("select")) [...field.options].forEach((option) => { option.defaultSelected = option.value === value; });
        else if (!field.matches("[type=radio], [type=checkbox]")) field.defaultValue = value;
        else if (field.value === value) field.defaultChecked = true;
      }
    }
    const spans = fields.filter(([name]) => name === "span").map(([, span]) => span);
    if (spans.length === 0) return;
    for (const passage of page.querySelectorAll(".passage")) {
      passage.dataset.spans = spans.filter((span) => span.split(":")[0] === passage.dataset.at).join(" ");
      if (!passage.dataset.spans) delete passage.dataset.spans;
    }
  };
  // The first page: how far it is.
  const count = (page) => {
    const of = inside.items.length, rest = left();
    page.getElementById("far").value = said.size;
    page.getElementById("facts").textContent = `${said.size} of ${counted(of, "item")} answered${said.size ? ` in ${time(seconds())}` : ""}`;
    page.getElementById("going").hidden = rest.length === 0;
    page.getElementById("done").hidden = rest.length > 0;
    page.getElementById("lost").hidden = kept;
    if (rest.length > 0) page.getElementById("on").setAttribute("href", `?/${rest[0].path}`);
    if (said.size > 0) page.getElementById("begins").textContent = "Go on";
    for (const row of page.querySelectorAll("[data-item]")) {
      const is = said.has(row.dataset.item), state = row.querySelector(".state");
      state.textContent = is ? "answered" : "open";
      state.classList.toggle("yours", is);
    }
  };
  // The book, at the first sentence of the passage from which somebody comes.
  const turn = (page, from) => {
    page.getElementById("back").setAttribute("href", `?/${from}`);
    const sentence = document.querySelector(".passage .pick, .passage p");
    const words = sentence && sentence.textContent.trim();
    const found = words && [...page.querySelectorAll(".book p")].find((paragraph) => paragraph.textContent.includes(words));
    if (found) setTimeout(() => found.scrollIntoView({ block: "center" }));
  };
  const page = (path, query, told) => {
    const book = query && document.querySelector(".passage");
    const name = book ? `book/${book.dataset.book}` : path;
    const known = Object.hasOwn(inside.pages, name) ? name : "";
    const next = new DOMParser().parseFromString(inside.pages[known], "text/html");
    next.title = title;
    if (told) tells(next.querySelector(".status"), told, !kept);
    if (book) turn(next, path);
    const own = inside.items.find((item) => item.path === known);
    if (own && said.has(own.id)) fill(next, said.get(own.id));
    if (known === "") count(next);
    // Browsers keep what is typed for the next start, and some send it to be spelled.
    next.querySelectorAll("form, textarea, input").forEach((field) => { field.autocomplete = "off"; field.spellcheck = false; });
    return { ok: true, url: `?/${known}`, next };
  };
  const lost = () => kept ? "" : ". This browser keeps nothing: save your votes to a file before you close the page";
  const decide = async (own, fields) => {
    const chosen = document.querySelector(".choice:has(input[name=choice]:checked) > span");
    const before = said.get(own.id) || [];
    const took = Number(value(before, "seconds")) + Number(value(fields, "seconds"));
    said.delete(own.id);
    said.set(own.id, fields.filter(([name]) => !["shown", "seconds", "packet"].includes(name)).concat([["seconds", String(took)]]));
    await keep();
    const at = inside.items.indexOf(own), rest = [...inside.items.slice(at + 1), ...inside.items.slice(0, at)];
    const next = rest.find((item) => !said.has(item.id));
    return page(next ? next.path : "", "", `Saved: ${chosen ? chosen.firstChild.textContent : value(fields, "choice")} (${own.name})${lost()}`);
  };
  const undo = async () => {
    const last = [...said.keys()].pop();
    if (!last) return page("", "", "Nothing is answered that could be undone");
    said.delete(last);
    await keep();
    return page(item(last).path, "", `Undone: ${item(last).name} is open again${lost()}`);
  };

  // Where somebody is stands in memory alone, and in the history of the browser only a number.
  const been = [];
  globalThis.packet = {
    ask(address, sent) {
      const [path, query] = (address.split("?/")[1] || "").split("?");
      if (path === "undo") return undo();
      const own = sent && inside.items.find((item) => item.path === path);
      return own ? decide(own, [...sent]) : Promise.resolve(page(path, query, ""));
    },
    here: () => been[history.state && history.state.at] || "?/",
    goes(address) {
      if (address === globalThis.packet.here()) return;
      history.pushState({ at: been.push(address) - 1 }, "");
    },
  };

  // People type what they read: the letters that are taken for digits are none of the passphrase.
  const plain = (typed) => {
    const letters = typed.toLowerCase().replace(/[^a-z0-9]/g, "").replace(/o/g, "0").replace(/[il]/g, "1");
    return (letters.match(/.{1,4}/g) || []).join("-");
  };
  element("lock").addEventListener("submit", async (event) => {
    event.preventDefault();
    const word = element("word"), button = event.target.querySelector("button");
    status("Opening. This takes a moment.");
    button.disabled = true;
    await new Promise((then) => setTimeout(then, 50));
    try {
      const opening = new age.Decrypter();
      opening.addPassphrase(plain(word.value));
      const squeezed = await opening.decrypt(bytes(element("sealed").textContent));
      inside = JSON.parse(await new Response(new Blob([squeezed]).stream().pipeThrough(new DecompressionStream("gzip"))).text());
      inside.items.forEach((item) => { item.path = `q/${inside.queue}/${item.id}`; });
    } catch (error) {
      const other = /no identity/.test(error.message);
      status(other ? "This passphrase does not open the packet. Compare it letter by letter." : "The packet is damaged or cut off: ask for it again.", true);
      button.disabled = false;
      word.select();
      return;
    }
    word.value = "";
    element("sealed").remove();
    const wrong = await restore();
    await go("?/");
    if (wrong) status(wrong, true);
  });
  document.addEventListener("click", (event) => { if (event.target.closest("#save-votes")) save(); });
  document.addEventListener("change", async (event) => {
    if (event.target.id !== "from" || !event.target.files[0]) return;
    let told, wrong = false;
    try {
      const count = await take(new Uint8Array(await event.target.files[0].arrayBuffer()));
      await keep();
      told = `${counted(count, "answer")} taken from the file`;
    } catch {
      told = "This file is not of this packet, or it is damaged. Nothing was taken from it.";
      wrong = true;
    }
    await go("?/");
    status(told, wrong);
  });
  addEventListener("beforeunload", (event) => { if (!kept) event.preventDefault(); });
  // What another tab with the same packet has answered.
  addEventListener("storage", (event) => { if (inside && event.key === place && event.newValue) take(bytes(event.newValue)).catch(() => {}); });
  const old = !("DecompressionStream" in globalThis) || !CSS.supports("selector(:has(a))");
  element("old").hidden = !old;
  element("lock").hidden = old;
  element("word").focus();
}
