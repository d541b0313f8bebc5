/* global clock, lastIndex, setText */
"use strict";

/** Playback of a recording: buttons, a slider, and a mark for each call. */
class Timeline {
  constructor(recording, onTime) {
    this.recording = recording;
    this.onTime = onTime;
    this.bar = document.getElementById("timeline");
    this.bar.hidden = false;
    this.slider = this.bar.querySelector("input");
    this.canvas = this.bar.querySelector("canvas");
    this.label = this.bar.querySelector("time");
    this.cause = document.getElementById("cause");
    this.speed = this.bar.querySelector("select");
    for (const speed of [1, 2, 5, 10, 20, 50, 100]) this.speed.add(new Option(`${speed}×`, speed, false, speed === 10));
    Object.assign(this.slider, {min: recording.start, max: recording.end});
    this.slider.addEventListener("input", () => this.seek(Number(this.slider.value)));
    this.bar.addEventListener("click", (event) => this.act(event.target.dataset.action));
    document.addEventListener("keydown", (event) => {
      if (event.target.closest("input, select, button, #rows") || event.ctrlKey || event.metaKey) return;
      const action = {" ": "play", ",": "previous", ".": "next"}[event.key];
      if (!action) return;
      event.preventDefault();
      this.act(action);
    });
    new ResizeObserver(() => this.draw()).observe(this.canvas);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.draw());
    this.marks = [];
    this.time = recording.start;
  }

  act(action) {
    if (action === "play") this.setPlaying(!this.isPlaying);
    if (action === "next" || action === "previous") this.step(action === "next" ? 1 : -1);
  }

  step(direction) {
    this.setPlaying(false);
    const {calls} = this.recording;
    const index = lastIndex(calls, this.time) + direction;
    if (calls[index]) this.seek(calls[index].time);
  }

  setPlaying(isPlaying) {
    if (this.isPlaying === isPlaying) return;
    this.isPlaying = isPlaying;
    const button = this.bar.querySelector("[data-action=play]");
    button.textContent = isPlaying ? "❚❚" : "▶";
    button.setAttribute("aria-label", isPlaying ? "Pause" : "Play");
    if (!isPlaying) return;
    if (this.time >= this.recording.end) this.seek(this.recording.start);
    let last = performance.now();
    const tick = (now) => {
      if (!this.isPlaying) return;
      this.seek(this.time + (now - last) / 1000 * Number(this.speed.value));
      last = now;
      if (this.time >= this.recording.end) this.setPlaying(false); else requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
  }

  seek(time) {
    this.time = Math.min(Math.max(time, this.recording.start), this.recording.end);
    this.slider.value = this.time;
    this.label.textContent = clock(this.time, 3);
    this.showCause();
    this.slider.setAttribute("aria-valuetext", this.label.textContent);
    this.onTime(this.time);
  }

  /** Marks the findings of the checks that are switched on: `{time, until}` in seconds. */
  mark(findings) {
    this.marks = findings;
    this.showCause();
    this.draw();
  }

  /** Shows the spans of a trip as bands: `{start, end, state, side, text}`. */
  showSpans(spans) {
    if (this.spans === spans) return;
    this.spans = spans;
    this.showCause();
    this.draw();
  }

  /** Shows why the vehicle stands still at this time, and the marked findings. */
  showCause() {
    const span = (this.spans || []).find(({start, end}) => start <= this.time && this.time < end);
    const marked = this.marks.filter(({time, until}) => time <= this.time && this.time < until);
    const texts = marked.slice(0, 3).map(({text}) => text);
    if (span && span.state !== "current") texts.unshift(span.text);
    setText(this.cause, texts.join("; "));
  }

  /** Clears a canvas, and returns what is needed to draw on it. */
  prepare(canvas) {
    const scale = devicePixelRatio || 1;
    const [width, height] = [canvas.clientWidth, canvas.clientHeight];
    Object.assign(canvas, {width: width * scale, height: height * scale});
    const context = canvas.getContext("2d");
    context.scale(scale, scale);
    const style = getComputedStyle(document.documentElement);
    return {context, width, height, color: (name) => style.getPropertyValue(name).trim()};
  }

  /** The place of a time on a canvas of this width. */
  place(time, width) {
    const {start, end} = this.recording;
    // The slider's thumb is 16 pixels wide and stays inside.
    return 8 + (time - start) / (end - start || 1) * (width - 16);
  }

  draw() {
    const {canvas, recording} = this;
    const {context, width, color} = this.prepare(canvas);
    const place = (time) => this.place(time, width);
    for (const {start, end, state, side} of this.spans || []) {
      context.fillStyle = color(`--${state === "stale" ? side : state}`);
      context.fillRect(place(start), 0, Math.max(1, place(end) - place(start)), 5);
    }
    context.fillStyle = color("--warn");
    context.globalAlpha = 0.35;
    for (const {time, until} of this.marks) {
      context.fillRect(place(time), 5, Math.max(3, place(until || time) - place(time)), 19);
    }
    context.globalAlpha = 1;
    for (const call of recording.calls) {
      const isFailed = call.code !== "OK";
      context.fillStyle = color(isFailed ? "--bad" : "--faint");
      context.fillRect(place(call.time), isFailed ? 6 : 12, isFailed ? 2 : 1, isFailed ? 18 : 10);
    }
  }
}
