// The way back: each file that is opened, and the list before it, is an entry of the browser's history.

/** A place in the page; the file by its folder and name, since ids are those of one server. @typedef {{view: "list" | "player", file: string | null}} Place */

/** @param {any} file */
export const nameOf = (file) => `${file.folder}/${file.name}`;

export class Way {
  /**
   * @param {(place: Place) => void} go shows a place that the browser goes back or forward to
   * @param {() => boolean} close closes what lies over the page, and answers true if something did: that is the whole step back
   */
  constructor(go, close) {
    /** The place of now: the one before a reload. @type {Place & {isFromList?: boolean}} */
    this.place = history.state?.view ? history.state : { view: "list", file: null };
    history.replaceState(this.place, "");
    addEventListener("popstate", ({ state }) => {
      // Links within the page have no place.
      if (!state?.view) return;
      if (close()) return history.forward();
      this.place = state;
      go(state);
    });
  }

  /** Notes a place that a person has gone to; of a walk from file to file, the last. @param {Place} place @param {boolean} [isWalk] */
  note({ view, file }, isWalk = false) {
    const before = this.place;
    if (before.view === view && before.file === file) return;
    this.place = { view, file, isFromList: isWalk ? before.isFromList : before.view === "list" };
    if (isWalk && before.file !== null) history.replaceState(this.place, "");
    else history.pushState(this.place, "");
  }

  /** Goes to the list: back, where it lies there. @param {() => void} show */
  toList(show) {
    if (this.place.isFromList) return history.back();
    show();
    this.note({ view: "list", file: this.place.file });
  }
}
