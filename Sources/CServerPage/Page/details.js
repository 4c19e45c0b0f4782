// The facts about the open file: cover, title, length, problem and chapters.

import { byId, icon, make } from "./dom.js";
import { clock } from "./time.js";

/** The facts about a file and its contents. @param {any} details */
export function factsOf(details) {
  return [
    [details.format, details.depth, details.sampleRate && `${details.sampleRate / 1000} kHz`, details.layout].filter(Boolean).join(", "),
    details.chapters.length > 0 ? `${details.chapters.length} chapters` : "",
    details.isVideo ? "sound of a video" : "",
  ].filter(Boolean).join(" — ");
}

/** @param {any} file @param {any} details @param {(moment: number) => void} onSeek */
export function showDetails(file, details, onSeek) {
  const title = details.title || file.name;
  byId("title").textContent = title;
  byId("mini-title").textContent = title;
  byId("mini").hidden = false;
  document.title = `${title} · scaleaudio`;
  // Names keep their place in any direction of text.
  const makers = [details.artist, details.album].filter(Boolean).flatMap((name, index) => [index > 0 ? " · " : "", make("bdi", {}, name)]);
  byId("facts").replaceChildren(...makers, makers.length > 0 ? " — " : "", factsOf(details));
  byId("source-name").textContent = file.name;
  byId("source-length").textContent = details.seconds ? clock(details.seconds, 3) : "";
  const { problem } = details;
  byId("problem").hidden = !problem;
  byId("problem").textContent = problem ? `${file.name}: ${problem.cause}${problem.remedy ? `; ${problem.remedy}` : ""}` : "";
  const cover = byId("cover");
  const none = () => cover.replaceChildren(icon("note"));
  if (details.hasCover) cover.replaceChildren(make("img", { src: `/api/files/${details.id}/cover`, alt: "", onerror: none }));
  else none();
  byId("chapter-list").replaceChildren(...details.chapters.map((/** @type {any} */ chapter) =>
    make("li", {}, make("button", { class: "go", type: "button", onclick: () => onSeek(chapter.start) },
      make("span", {}, chapter.title || "Chapter"), make("span", { class: "faint" }, clock(chapter.start, 0))))));
  byId("chapter-box").hidden = details.chapters.length === 0;
}
