/* global L, describe, shortName */
"use strict";

/**
 * Draws many resources on one canvas, each as one point: its vehicle or, without one, its first stop. Where points
 * would cover each other, there is their number instead.
 */
class Crowd {
  constructor(view) {
    this.view = view;
    const {map} = view;
    this.points = new Map();
    // What is drawn, `{x, y, names}`: a point or a group.
    this.spots = [];
    this.isDimmed = false;
    // The resource of the point below the pointer.
    this.hovered = null;
    this.onHover = () => {};
    this.onClick = () => {};
    this.canvas = L.DomUtil.create("canvas", "leaflet-zoom-hide", map.createPane("crowd"));
    map.on("move resize zoomend", () => this.redraw());
    map.on("mousemove", ({containerPoint}) => this.hover(this.spotAt(containerPoint)));
    map.on("mouseout", () => this.hover(null));
    map.on("click", ({containerPoint}) => this.click(this.spotAt(containerPoint)));
  }

  /** Draws a resource's frame; null removes it. */
  set(name, frame) {
    const point = this.points.get(name);
    if ((point ? point.frame : null) === frame) return;
    const feature = frame && Crowd.feature(frame);
    if (feature) {
      this.points.set(name, {frame, feature, place: L.latLng(this.view.place(feature.geometry.coordinates))});
    } else if (!this.points.delete(name)) {
      return;
    }
    this.redraw();
  }

  dim(isDimmed) {
    if (this.isDimmed === isDimmed) return;
    this.isDimmed = isDimmed;
    this.redraw();
  }

  markers() {
    return Array.from(this.points, ([trip, {feature}]) => Object.assign({trip, element: null}, describe(feature)));
  }

  /** Draws once for all changes before the next frame. */
  redraw() {
    if (this.isDue) return;
    this.isDue = true;
    requestAnimationFrame(() => {
      this.isDue = false;
      this.draw();
    });
  }

  draw() {
    const {canvas, view: {map}} = this;
    this.spots = this.points.size ? this.group() : [];
    canvas.hidden = this.spots.length === 0;
    if (canvas.hidden) return;
    const {x: width, y: height} = map.getSize();
    const ratio = devicePixelRatio;
    L.DomUtil.setPosition(canvas, map.containerPointToLayerPoint([0, 0]));
    Object.assign(canvas.style, {width: `${width}px`, height: `${height}px`});
    // Also clears the canvas.
    Object.assign(canvas, {width: width * ratio, height: height * ratio});
    const context = canvas.getContext("2d");
    context.scale(ratio, ratio);
    context.globalAlpha = this.isDimmed ? 0.35 : 1;
    Object.assign(context, {strokeStyle: "#fff", lineWidth: 2, textAlign: "center", textBaseline: "middle"});
    for (const spot of this.spots) drawSpot(context, spot, this.points.get(spot.names[0]).feature.properties);
  }

  /** The points and groups in view. */
  group() {
    const {map} = this.view;
    const origin = map.getPixelBounds().min;
    const size = map.getSize();
    const cells = new Map();
    for (const [name, {place}] of this.points) {
      // In pixels of the whole map, so that groups stay together while it moves.
      const {x, y} = map.project(place);
      if (x < origin.x - 20 || y < origin.y - 20 || x > origin.x + size.x + 20 || y > origin.y + size.y + 20) continue;
      const key = `${Math.floor(x / Crowd.cell)} ${Math.floor(y / Crowd.cell)}`;
      if (!cells.has(key)) cells.set(key, []);
      cells.get(key).push({x: x - origin.x, y: y - origin.y, names: [name]});
    }
    return Array.from(cells.values()).flatMap((spots) => {
      if (spots.length < Crowd.leastGroup) return spots;
      const mean = (axis) => spots.reduce((sum, spot) => sum + spot[axis], 0) / spots.length;
      return [{x: mean("x"), y: mean("y"), names: spots.flatMap(({names}) => names)}];
    });
  }

  spotAt({x, y}) {
    let [nearest, least] = [null, Crowd.reach ** 2];
    for (const spot of this.spots) {
      const distance = (spot.x - x) ** 2 + (spot.y - y) ** 2;
      if (distance <= least) [nearest, least] = [spot, distance];
    }
    return nearest;
  }

  hover(spot) {
    const name = spot && spot.names.length === 1 ? spot.names[0] : null;
    const element = this.view.map.getContainer();
    element.classList.toggle("pointing", spot !== null);
    element.title = spot ? (name === null ? `${spot.names.length}` : shortName(name)) : "";
    if (name === this.hovered) return;
    this.hovered = name;
    this.onHover();
  }

  /** Selects a resource, or shows a group from nearer. */
  click(spot) {
    if (!spot) return;
    if (spot.names.length === 1) return this.onClick(spot.names[0]);
    this.view.setFollowing(false);
    return this.view.fit(L.latLngBounds(spot.names.map((name) => this.points.get(name).place)));
  }

  /** The vehicle of a frame or, without one, its first stop. */
  static feature({features}) {
    const points = features.filter(({geometry}) => geometry.type === "Point");
    return points.find(({properties}) => properties.kind === "vehicle") || points[0];
  }
}

// In pixels: the size of the cells whose points form a group, and how near a click has to be.
Crowd.cell = 44;
Crowd.reach = 16;
/** The least number of points in a group. */
Crowd.leastGroup = 4;

function drawSpot(context, {x, y, names}, {kind, heading, "marker-color": color}) {
  const isGroup = names.length > 1;
  context.fillStyle = isGroup ? "#5b6570" : color;
  context.beginPath();
  if (isGroup) {
    context.arc(x, y, 15, 0, 2 * Math.PI);
  } else if (kind !== "vehicle") {
    context.rect(x - 5, y - 5, 10, 10);
  } else {
    context.arc(x, y, 6, 0, 2 * Math.PI);
    if (heading !== undefined) drawArrow(context, x, y, heading * Math.PI / 180);
  }
  context.fill();
  context.stroke();
  if (!isGroup) return;
  context.fillStyle = "#fff";
  context.font = "700 12px system-ui, sans-serif";
  context.fillText(String(names.length), x, y);
}

function drawArrow(context, x, y, angle) {
  const corner = (turn, radius) => [x + radius * Math.sin(angle + turn), y - radius * Math.cos(angle + turn)];
  context.moveTo(...corner(-0.8, 8));
  context.lineTo(...corner(0, 15));
  context.lineTo(...corner(0.8, 8));
}
