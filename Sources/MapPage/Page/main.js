/* global CallTable, Checks, Delays, LiveSource, MapView, Panel, Recording, Ruler, Timeline, Tracks, element, escaped */
"use strict";

(async () => {
  const options = JSON.parse(document.getElementById("options").textContent);
  const view = new MapView(document.getElementById("map"), options);
  const recenter = document.getElementById("recenter");
  const notice = document.getElementById("notice");
  let frames = new Map();
  let focused = null;
  let now = () => Date.now() / 1000;
  let linkTimer;
  let drawing;
  let showAnalysis = () => {};

  const panel = new Panel((name) => {
    focused = name;
    view.setFollowing(true);
    draw();
  }, () => draw());

  function draw() {
    if (!frames.has(focused)) focused = null;
    // An app decides itself what its map shows.
    const isCrowd = frames.size > MapView.fullLimit && !options.app;
    view.open(isCrowd ? new Set([focused, view.crowd.hovered, ...panel.found(frames, MapView.fullLimit)]) : null);
    for (const name of [...view.trips.keys(), ...view.crowd.points.keys()]) {
      if (name !== null && !frames.has(name)) view.show(name, null);
    }
    for (const [name, frame] of frames) view.show(name, frame);
    const names = focused === null ? null : new Set([focused]);
    view.focus(names);
    view.follow(names);
    panel.show(frames, focused, now());
    showAnalysis();
  }

  /** Draws once for several changes: many resources change at any time. */
  function drawSoon() {
    if (drawing) return;
    drawing = setTimeout(() => {
      drawing = undefined;
      draw();
    }, frames.size > MapView.fullLimit ? 200 : 0);
  }

  view.onMarkerClick = ({trip, kind, index}) => {
    focused = focused === trip ? null : trip;
    draw();
    panel.reveal(focused);
    if (!options.app) return;
    const headers = {"Content-Type": "application/json"};
    fetch("tap", {method: "POST", headers, body: JSON.stringify({trip, kind, index})}).catch(() => {});
  };
  view.crowd.onHover = draw;
  view.crowd.onClick = (name) => {
    focused = name;
    draw();
    panel.reveal(name);
  };
  view.onFollowChange = (isFollowing) => { recenter.hidden = isFollowing; };
  recenter.addEventListener("click", () => {
    view.setFollowing(true);
    draw();
  });

  const api = {
    /** The resources: name, kind, status and facts. */
    get trips() {
      return Array.from(frames).map(([name, frame]) => Object.assign({name}, frame ? frame.facts : {}));
    },
    /** The time that the page shows, in seconds since 1970. */
    get time() { return now(); },
    /** Moves a recording to a time in seconds since 1970. */
    seek() { throw new Error("seek: the page shows live trips"); },
    /** Selects a call of a recording by its index. */
    select() { throw new Error("select: the page shows live trips"); },
    /**
     * The markers on the map: trip (the name of its resource), kind, index, position, heading, snapped, and element,
     * which is null for one that is a point among many.
     */
    markers: () => view.markers(),
    map: view.map,
  };
  window.tripwire = api;

  const data = document.getElementById("recording");
  if (data) await showRecording(); else showLive();
  document.documentElement.dataset.ready = "true";

  function showLive() {
    if (options.app) document.title = "Map";
    const source = new LiveSource(options.app ? "The app" : "tripwire", options.names || [], () => {
      frames = source.frames;
      view.apply(source.app);
      notice.textContent = source.notice || source.app.problem || "";
      notice.hidden = notice.textContent === "";
      if (frames.size === 1) document.title = escaped(Array.from(frames.keys())[0]);
      drawSoon();
    });
    now = () => source.now;
    setInterval(() => panel.show(frames, focused, now()), 1000);
  }

  async function showRecording() {
    const recording = await Recording.read(data.textContent.trim());
    const tracks = showLegend(recording);
    const table = new CallTable(recording, select);
    const timeline = new Timeline(recording, (time) => {
      now = () => time;
      frames = recording.framesAt(time);
      draw();
      table.select(recording.callAt(time));
      if (!timeline.isPlaying) noteLink(time);
    });
    const checks = new Checks(recording, (findings) => timeline.mark(findings), (finding) => {
      timeline.setPlaying(false);
      timeline.seek(finding.time);
      tracks.reveal(finding.time);
    });

    const delays = new Delays(timeline);
    showAnalysis = () => {
      const {spans, delays: found, tracks: sent} = recording.analysis(focused);
      timeline.showSpans(spans);
      delays.show(found);
      tracks.show(sent);
    };

    function select(index) {
      timeline.setPlaying(false);
      timeline.seek(recording.calls[index].time);
      table.select(index);
    }
    Object.assign(api, {recording, checks, select, seek: (time) => timeline.seek(time)});
    window.addEventListener("hashchange", () => timeline.seek(linkedTime() || timeline.time));
    timeline.seek(linkedTime() || recording.opening);
  }

  /** Shows the observers, the switch of the tracks and the ruler; returns the tracks. */
  function showLegend(recording) {
    const legend = document.getElementById("legend");
    legend.hidden = false;
    view.observers = recording.observersByTrip;
    for (const {name, letter, color} of recording.observers) {
      const item = element("li", {}, name);
      const mark = element("b", {}, letter);
      mark.style.backgroundColor = color;
      item.prepend(mark);
      legend.querySelector("ul").append(item);
    }
    const tracks = new Tracks(view, legend.querySelector("label"));
    new Ruler(view, tracks, legend.querySelector("button"), legend.querySelector("output")).measure([]);
    return tracks;
  }

  /** The time of `#t=…`: ISO 8601, or seconds since 1970. */
  function linkedTime() {
    // A plus sign of a time zone would become a space.
    const text = new URLSearchParams(location.hash.slice(1).replace(/\+/g, "%2B")).get("t") || "";
    return /^[0-9.]+$/.test(text) ? Number(text) : Date.parse(text) / 1000 || null;
  }

  function noteLink(time) {
    clearTimeout(linkTimer);
    linkTimer = setTimeout(() => {
      history.replaceState(null, "", `#t=${new Date(Math.ceil(time * 1000)).toISOString()}`);
    }, 300);
  }
})();
