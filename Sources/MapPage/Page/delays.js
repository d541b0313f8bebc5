/* global element */
"use strict";

/** The chart of how long each location was on its way to the app, and its numbers for each part of the way. */
class Delays {
  constructor(timeline) {
    this.timeline = timeline;
    this.canvas = document.getElementById("ages");
    this.list = document.getElementById("delays");
    new ResizeObserver(() => this.draw()).observe(this.canvas);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.draw());
  }

  /**
   * Shows the delays of a trip, `{legs: [{name, median, p95, worst}], points: [{time, delays}]}`, in which the last leg
   * is the whole way; without them, no chart.
   */
  show(delays) {
    if (this.delays === delays) return;
    this.delays = delays;
    this.canvas.hidden = this.list.hidden = !delays;
    if (!delays) return;
    const last = delays.legs.length - 1;
    this.list.replaceChildren(...delays.legs.map((leg, index) => {
      const words = ["median", "p95", "worst"].map((name) => `${name} ${Delays.seconds(leg[name])}`);
      const item = element("li", {}, `${leg.name}: ${words.join(", ")}`);
      if (index < last) item.prepend(element("i", {className: `leg-${index}`}));
      return item;
    }));
    this.draw();
  }

  static seconds(value) { return `${value.toFixed(Math.abs(value) < 1 ? 2 : Math.abs(value) < 10 ? 1 : 0)} s`; }

  /** Draws a bar for each location, with the known parts of its way from the bottom to the top. */
  draw() {
    if (!this.delays) return;
    const {context, width, height, color} = this.timeline.prepare(this.canvas);
    const {legs, points} = this.delays;
    const whole = legs[legs.length - 1];
    const scale = (height - 2) / Math.max(whole.worst, 0.001);
    for (const {time, delays} of points) {
      const x = this.timeline.place(time, width) - 1;
      const bar = (from, to) => context.fillRect(x, height - to * scale, 2, Math.max(0, to - from) * scale);
      context.fillStyle = color("--leg-unknown");
      bar(0, delays[delays.length - 1]);
      let from = 0;
      delays.slice(0, -1).forEach((delay, index) => {
        if (delay === null) return;
        context.fillStyle = color(`--leg-${index}`);
        bar(from, from + delay);
        from += delay;
      });
    }
    context.fillStyle = color("--faint");
    for (const name of ["median", "p95"]) context.fillRect(0, height - whole[name] * scale, width, 1);
  }
}
