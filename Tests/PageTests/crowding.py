"""Whether labels of the page overlap or are cut, with text twice as large and with the spacing of WCAG 1.4.12."""

import pathlib
import subprocess
import tempfile

from pages import check, choose, served, sox, until

# WCAG 2.2, 1.4.4 and 1.4.12. Rules that no element can escape, as a reader's own style sheet would have them.
STYLES = {
    "twice the text": "html { font-size: 200% !important; }",
    "wide spacing": """* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important; }
        p { margin-bottom: 2em !important; }""",
}

APPLY = """(rules) => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(rules);
  document.adoptedStyleSheets = [sheet];
}"""

# Every text that is seen, as the rectangles of its lines, against what clips it, the control that it names, and every
# other text and control of its layer. Names, titles and commands may end in an ellipsis; they are longer than any page.
CROWDED = """(least) => {
  const found = [];
  const isSeen = (element) => element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
  const layers = "dialog, .note, .offline, .skip, .pop, .head, #lines, .flags, .edge, .lane-name";
  const mayEnd = ".row .open *, #folder-name, #title, #facts, code, .flag, .chip bdi, .name, #writes, #writes :is(bdi, span), .now span";
  const layerOf = (element) => {
    const own = element.closest(layers);
    return own && getComputedStyle(own).position !== "static" ? own : null;
  };
  const say = (element, text, what) => found.push(`${what}: ${text.trim().slice(0, 40)} (${element.id || element.className || element.tagName})`);
  const within = (a, b) => ({ left: Math.max(a.left, b.left), top: Math.max(a.top, b.top), right: Math.min(a.right, b.right), bottom: Math.min(a.bottom, b.bottom) });
  const padding = (element) => {
    const { left, top } = element.getBoundingClientRect();
    const [x, y] = [left + element.clientLeft, top + element.clientTop];
    return { left: x, top: y, right: x + element.clientWidth, bottom: y + element.clientHeight };
  };
  /** What of a line is seen; says when it is cut where nothing scrolls. */
  const clipped = (element, line, text, from = element) => {
    let seen = line;
    let [ends, scrolls, isSwiped] = [false, false, false];
    for (let at = from; at && at !== document.documentElement; at = at.parentElement) {
      const style = getComputedStyle(at);
      if (style.overflowX === "visible" && style.overflowY === "visible" || style.display === "inline") continue;
      ends ||= style.textOverflow === "ellipsis" || style.webkitLineClamp !== "none";
      const box = padding(at);
      // Beyond what scrolls, all can be brought into view.
      if (scrolls) {
        seen = within(seen, isSwiped ? { ...box, left: seen.left, right: seen.right } : box);
        continue;
      }
      // A row of buttons is swiped from one to the next: each of them has to fit.
      if (at.id === "marks-row" && style.overflowX === "auto") {
        if (line.right - line.left > box.right - box.left && !(ends && element.matches(mayEnd))) say(element, text, "beyond the side");
        [scrolls, isSwiped] = [true, true];
        continue;
      }
      if (/auto|scroll/.test(style.overflowX + style.overflowY)) {
        seen = within(seen, box);
        // Only up and down: nobody can read by scrolling every line sideways.
        const isWhole = line.left >= box.left - 1.5 && line.right <= box.right + 1.5;
        if (!isWhole && !(ends && element.matches(mayEnd))) say(element, text, "beyond the side");
        scrolls = true;
        continue;
      }
      const mayBeCut = ends && element.matches(mayEnd);
      const isHidden = line.top > box.bottom - 3;
      if (!mayBeCut && (line.left < box.left - 1.5 || line.right > box.right + 1.5)) say(element, text, "cut at the side");
      if (!(ends && isHidden) && (line.bottom > box.bottom + (line.bottom - line.top) * 0.2 || line.top < box.top - (line.bottom - line.top) * 0.2)) say(element, text, "cut in height");
      seen = within(seen, box);
    }
    return seen;
  };
  const texts = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.parentElement;
    if (!node.data.trim() || !element || !isSeen(element) || element.closest("select, .hidden-text, script, svg, .skip")) continue;
    const size = parseFloat(getComputedStyle(element).fontSize);
    if (size < least) say(element, node.data, `text of ${size} px`);
    const range = document.createRange();
    range.selectNodeContents(node);
    for (const line of range.getClientRects()) {
      if (line.width < 1) continue;
      const seen = clipped(element, line, node.data);
      const [wide, high] = [seen.right - seen.left, seen.bottom - seen.top];
      if (high < (line.bottom - line.top) * 0.5) continue;
      if (wide < Math.min(line.width, size * 2) - 1) {
        // The second line of a row has its state first, and its name again where there is room.
        if (!element.matches(".file bdi") && (wide > 0 || element.closest(".row, .jobs-head"))) say(element, node.data, "squeezed");
        continue;
      }
      texts.push({ element, text: node.data, layer: layerOf(element), ...seen });
      const control = element.closest("button, .segments > *, .button");
      if (control) {
        const box = control.getBoundingClientRect();
        if (seen.left < box.left - 1.5 || seen.right > box.right + 1.5 || seen.top < box.top - 3 || seen.bottom > box.bottom + 3) say(element, node.data, "beyond its control");
      }
    }
  }
  const overlap = (a, b, share) => {
    const both = within(a, b);
    const low = Math.min(a.bottom - a.top, b.bottom - b.top);
    return both.right - both.left > 1.5 && both.bottom - both.top > low * share;
  };
  const apart = (a, b) => a !== b && !a.contains(b) && !b.contains(a);
  texts.forEach((one, index) => {
    for (const other of texts.slice(index + 1)) {
      if (one.layer === other.layer && apart(one.element, other.element) && overlap(one, other, 0.25)) say(one.element, `${one.text.trim()} | ${other.text.trim()}`, "overlap");
    }
  });
  const context = document.createElement("canvas").getContext("2d");
  const controls = [...document.querySelectorAll("button, select, input, .button")].filter((own) => isSeen(own) && !own.closest(".hidden-text"));
  for (const control of controls) {
    const style = getComputedStyle(control);
    const box = control.getBoundingClientRect();
    if (box.width === 0) continue;
    const layer = layerOf(control);
    // Where it scrolls, only what is seen of it.
    const seen = clipped(control, box, control.getAttribute("aria-label") ?? control.id, control.parentElement);
    const bounds = { left: seen.left + 2, top: seen.top + 2, right: seen.right - 2, bottom: seen.bottom - 2 };
    if (bounds.right <= bounds.left || bounds.bottom <= bounds.top) continue;
    for (const text of texts) {
      if (text.layer !== layer || !apart(control, text.element) || control.closest("label")?.contains(text.element)) continue;
      if (control.closest(".edge") || text.element.closest(".wave-note")) continue;
      if (overlap(text, bounds, 0.25)) say(control, `${control.id} | ${text.text.trim()}`, "a control covers a text");
    }
    if (control.tagName === "SELECT" && !control.disabled) {
      context.font = style.font;
      context.letterSpacing = style.letterSpacing === "normal" ? "0px" : style.letterSpacing;
      const words = control.selectedOptions[0]?.text ?? "";
      const room = control.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
      if (context.measureText(words).width > room + 1) say(control, `${words}: ${Math.round(context.measureText(words).width)} in ${room}`, "cut in its list");
    } else if (/^(text|number)$/.test(control.type) && control.scrollWidth > control.clientWidth + 1) {
      say(control, control.value, "cut in its field");
    }
  }
  for (const canvas of document.querySelectorAll(".axis, #meters")) {
    if (!isSeen(canvas)) continue;
    const size = parseFloat(getComputedStyle(canvas).fontSize);
    if (size < least || canvas.clientHeight < size * 1.4) found.push(`a canvas of ${canvas.clientHeight} px for text of ${size} px`);
  }
  if (document.documentElement.scrollWidth > innerWidth) found.push(`${document.documentElement.scrollWidth} px wide`);
  return [...new Set(found)];
}"""

# Controls that a finger can press, and is smaller than 44 px either way; a label belongs to its field.
SMALL = """() => [...document.querySelectorAll("button, select, input, summary, .button, [role=slider]")].flatMap((own) => {
  if (!own.checkVisibility({ visibilityProperty: true }) || own.closest(".hidden-text") || own.disabled) return [];
  const label = own.matches("input") ? own.closest("label") : null;
  const around = own.matches("[type=checkbox], [type=radio]") && getComputedStyle(own, "::before").position === "absolute" ? 22 : 0;
  const sizes = [own, label].filter(Boolean).map((at) => at.getBoundingClientRect());
  const [wide, high] = ["width", "height"].map((side) => Math.max(...sizes.map((size) => size[side])) + around);
  return wide >= 43.5 && high >= 43.5 ? [] : [`${own.id || own.className || own.name || own.tagName} ${Math.round(wide)} x ${Math.round(high)}`];
})"""

# The least text of the page, in pixels as it is designed.
LEAST = 11


def prepare(folder):
    """Files whose names and tags need room: chapters, a long title, another direction, damage."""
    folder = pathlib.Path(folder)
    chapters = folder / "chapters.txt"
    spans = [(0, 8, "Opening"), (8, 10, "A short chapter with a long name"), (10, 40, "Over the hill")]
    chapters.write_text(";FFMETADATA1\ntitle=The Book of Long Walks through the Northern Lowlands, Read Aloud\n" + "".join(
        f"[CHAPTER]\nTIMEBASE=1/1\nSTART={start}\nEND={end}\ntitle={name}\n" for start, end, name in spans))
    subprocess.run(["ffmpeg", "-v", "error", "-y", "-f", "lavfi", "-i", "sine=330:d=40", "-i", chapters,
                    "-map_metadata", "1", "-c:a", "aac", folder / "book.m4b"], check=True)
    chapters.unlink()
    sox(folder / "song.flac", "synth", "2", "pinknoise")
    subprocess.run(["metaflac", "--set-tag=TITLE=שיר ערש ישן מאוד, הקלטה חיה מן הלילה השני", folder / "song.flac"], check=True)
    (folder / "broken.wav").write_bytes(b"RIFF\x10\0\0\0WAVEnoise")


def states(page, width, look):
    """Leads the page through its states, and looks at each."""
    look("list")
    choose(page, "book.m4b")
    until(page, "document.querySelector('#writes').textContent !== ''")
    page.evaluate("""async () => {
      const { model, player } = await import("/page/main.js");
      model.set({ speed: 0.8, pitch: "tape" });
      for (const [moment, id] of [[3, "loop"], [9, "loop"], [12, "add-mark"], [30, "add-mark"]]) {
        await player.seek(moment);
        document.getElementById(id).click();
      }
    }""")
    page.wait_for_timeout(300)
    look("file")
    page.evaluate("document.getElementById('make').click()")
    until(page, "/1 of 1 made|failed|exists/.test(document.querySelector('#jobs').textContent)")
    page.wait_for_timeout(300)
    look("job")
    page.evaluate("document.querySelector('#jobs-open[aria-expanded=false]')?.click()")
    page.wait_for_timeout(300)
    look("open jobs")
    page.evaluate("document.querySelector('#jobs-clear').click()")
    for number in range(2):
        page.evaluate(f"document.querySelectorAll('#panel details')[{number}].open = true")
        look(f"details {number}")
        page.evaluate(f"document.querySelectorAll('#panel details')[{number}].open = false")
    page.evaluate("async () => { const { model } = await import('/page/main.js'); model.set({ pitch: 'same', bpm: 96, loops: [{ start: 3, end: 9, name: 'Hard bars' }], bends: [{ at: 10, to: 12 }], isBending: true }); }")
    page.wait_for_timeout(300)
    look("bending")
    page.evaluate("async () => { const { model } = await import('/page/main.js'); model.set({ isBending: false }); document.getElementById('practice').click(); }")
    page.wait_for_timeout(100)
    look("practice")
    page.evaluate("document.getElementById('practice').click()")
    page.evaluate("document.getElementById('open-marks').click()")
    look("marks")
    page.keyboard.press("Escape")
    page.evaluate("document.getElementById('open-look').click()")
    look("appearance")
    page.evaluate("() => ['open-look', 'open-keys'].forEach((id) => document.getElementById(id).click())")
    look("keys")
    page.keyboard.press("Escape")
    choose(page, "broken.wav")
    page.wait_for_timeout(300)
    look("problem")
    page.evaluate("document.body.dataset.view = 'list'")
    page.wait_for_timeout(300)
    look("list again")


def check_all(program, open_page, enlarged=STYLES, widths=(1280, 768, 320)):
    """`open_page(address, width)` opens the page; `enlarged` has what is done to it, by name: rules, or a function."""
    for width in widths:
        for name, means in enlarged.items():
            with tempfile.TemporaryDirectory() as folder:
                prepare(folder)
                with served(program, folder) as (address, _), open_page(address, width) as page:
                    page.evaluate(APPLY, means) if isinstance(means, str) else means(page)
                    page.wait_for_timeout(300)
                    least = LEAST * 2 if "twice" in name else LEAST

                    def look(state):
                        crowded = page.evaluate(CROWDED, least)
                        check(not crowded, f"{name}, {state}, {width} px: {crowded[:6]}")
                        small = page.evaluate(SMALL) if width < 960 else []
                        check(not small, f"targets for fingers, {state}, {width} px: {small[:6]}")

                    states(page, width, look)


# Shifts of layout that nobody asked for, as browsers of Chromium measure it: the sum of shares of the window.
SHIFTS = """
  window.shifted = [];
  new PerformanceObserver((list) => window.shifted.push(...list.getEntries().map((entry) => [entry.value, entry.sources.map((own) => own.node?.id ?? "")])))
    .observe({ type: "layout-shift", buffered: true });
"""


def check_steady(program, open_page):
    """Nothing jumps while the page loads, nor from one file to the next; chapters take their line from the waveforms."""
    with tempfile.TemporaryDirectory() as folder:
        prepare(folder)
        with served(program, folder) as (address, _), open_page(address, SHIFTS) as page:
            page.wait_for_timeout(500)
            for name in ["song.flac", "book.m4b", "song.flac"]:
                choose(page, name)
                until(page, "document.querySelector('#writes').textContent !== ''")
                page.wait_for_timeout(500)
            shifts = page.evaluate("window.shifted")
            jumps = [shift for shift in shifts if "panel" in shift[1] or shift[0] > 0.15]
            check(not jumps, f"what is below the waveforms stays where it is: {jumps}")
