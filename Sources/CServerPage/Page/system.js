// The system around the page: its media controls and keys, and devices that are lost while they play.

/** The actions of the system's controls. @typedef {{toggle: () => void, seek: (moment: number) => void, file: (step: number) => void}} Controls */

/** The media session of the system; silent in browsers that have none. */
export class SystemControls {
  /** @param {import("./player.js").Playing} player @param {Controls} controls */
  constructor(player, controls) {
    this.player = player;
    this.controls = controls;
    /** Browsers give their controls to elements only, not to worklets: this one plays silence meanwhile. */
    this.silence = new Audio("/page/silence.flac");
    this.silence.loop = true;
    this.shown = 0;
    this.handle();
  }

  handle() {
    if (!("mediaSession" in navigator)) return;
    const { player, controls } = this;
    /** @type {[MediaSessionAction, (event: MediaSessionActionDetails) => void][]} */
    const handlers = [
      ["play", () => !player.isPlaying && controls.toggle()], ["pause", () => player.isPlaying && controls.toggle()],
      ["stop", () => player.isPlaying && controls.toggle()],
      ["seekbackward", (event) => controls.seek(player.moment - (event.seekOffset ?? 10))],
      ["seekforward", (event) => controls.seek(player.moment + (event.seekOffset ?? 10))],
      ["seekto", (event) => controls.seek(player.current?.moment((event.seekTime ?? 0) * (player.current.form?.sampleRate ?? 1)) ?? 0)],
      ["previoustrack", () => controls.file(-1)], ["nexttrack", () => controls.file(1)],
    ];
    for (const [action, own] of handlers) {
      try {
        navigator.mediaSession.setActionHandler(action, own);
      } catch {
        // A browser without this action.
      }
    }
  }

  /** Shows what is open. @param {any} file @param {any} details */
  open(file, details) {
    if (!("mediaSession" in navigator)) return;
    navigator.mediaSession.metadata = new MediaMetadata({
      title: details.title || file.name, artist: details.artist ?? "", album: details.album ?? "",
      artwork: details.hasCover ? [{ src: `/api/files/${details.id}/cover` }] : [],
    });
  }

  /** Shows whether it plays, and where; at most once a second while it plays. @param {boolean} isChange */
  show(isChange) {
    if (!("mediaSession" in navigator)) return;
    const { player } = this;
    const now = performance.now();
    if (!isChange && now - this.shown < 1000) return;
    this.shown = now;
    navigator.mediaSession.playbackState = player.isPlaying ? "playing" : "paused";
    if (player.isPlaying) this.silence.play().catch(() => {});
    else this.silence.pause();
    const { current } = player;
    const rate = current?.form?.sampleRate ?? 1;
    const duration = (current?.frames ?? 0) / rate;
    if (!(duration > 0)) return;
    const position = Math.min(duration, (current?.frameAt(player.moment) ?? 0) / rate);
    try {
      navigator.mediaSession.setPositionState({ duration, position, playbackRate: 1 });
    } catch {
      // A browser without positions.
    }
  }
}

/** Calls `onLost` when a device for sound goes away. @param {() => void} onLost */
export function watchDevices(onLost) {
  const devices = navigator.mediaDevices;
  if (!devices?.enumerateDevices) return;
  const count = async () => (await devices.enumerateDevices()).filter(({ kind }) => kind === "audiooutput").length;
  let known = count().catch(() => 0);
  devices.addEventListener("devicechange", async () => {
    const [before, now] = [await known, await count().catch(() => 0)];
    known = Promise.resolve(now);
    if (now < before) onLost();
  });
}
