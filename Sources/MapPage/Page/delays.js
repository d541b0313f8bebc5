"use strict";

/** The chart of how long each location was on its way to the app, and its line of numbers. */
class Delays {
  constructor(timeline) {
    this.timeline = timeline;
    this.canvas = document.getElementById("ages");
    this.caption = document.getElementById("delays");
    new ResizeObserver(() => this.draw()).observe(this.canvas);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.draw());
  }

  /** Shows the delays of a trip, `{median, p95, worst, points: [{time, delay}]}`; without them, no chart. */
  show(delays) {
    if (this.delays === delays) return;
    this.delays = delays;
    this.canvas.hidden = this.caption.hidden = !delays;
    if (!delays) return;
    const words = ["median", "p95", "worst"].map((name) => `${name} ${Delays.seconds(delays[name])}`);
    this.caption.textContent = `Age of each location when the app showed it: ${words.join(", ")}`;
    this.draw();
  }

  static seconds(value) { return `${value.toFixed(value < 10 ? 1 : 0)} s`; }

  draw() {
    if (!this.delays) return;
    const {context, width, height, color} = this.timeline.prepare(this.canvas);
    const most = Math.max(this.delays.worst, 0.001);
    const place = (time) => this.timeline.place(time, width);
    const level = (delay) => height - Math.max(delay, 0) / most * (height - 2);
    context.fillStyle = color("--accent");
    for (const {time, delay} of this.delays.points) {
      context.fillRect(place(time) - 1, level(delay), 2, height - level(delay));
    }
    context.fillStyle = color("--faint");
    for (const name of ["median", "p95"]) context.fillRect(0, level(this.delays[name]), width, 1);
  }
}
