// The facts about the open file: cover, title, contents and problem.

import { byId, icon, make } from "./dom.js";

/** The facts about a file and its contents. @param {any} details */
export function factsOf(details) {
  return [
    [details.format, details.depth, details.sampleRate && `${details.sampleRate / 1000} kHz`, details.layout].filter(Boolean).join(", "),
    details.chapters.length > 0 ? `${details.chapters.length} chapters` : "",
    details.isVideo ? "sound of a video" : "",
  ].filter(Boolean).join(" · ");
}

/** @param {any} file @param {any} details */
export function showDetails(file, details) {
  const title = details.title || file.name;
  byId("title").textContent = title;
  byId("title").title = file.name;
  byId("now-title").textContent = title;
  document.title = `${title} · scaleaudio`;
  // Names keep their place in any direction of text.
  const makers = [details.artist, details.album].filter(Boolean).flatMap((name, index) => [index > 0 ? " · " : "", make("bdi", {}, name)]);
  byId("facts").replaceChildren(...makers, makers.length > 0 ? " — " : "", factsOf(details));
  const { problem } = details;
  byId("problem").hidden = !problem;
  byId("problem").textContent = problem ? `${file.name}: ${problem.cause}${problem.remedy ? `; ${problem.remedy}` : ""}` : "";
  const cover = byId("cover");
  const none = () => cover.replaceChildren(icon("note"));
  if (details.hasCover) cover.replaceChildren(make("img", { src: `/api/files/${details.id}/cover`, alt: "", onerror: none }));
  else none();
}
