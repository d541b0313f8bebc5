/* global L, decodeLine, distance */
"use strict";

/** Measures the distance along a route or a track between two clicks, while its button is pressed. */
class Ruler {
  constructor(view, tracks, button, output) {
    Object.assign(this, {view, tracks, button, output, places: []});
    this.dots = L.layerGroup().addTo(view.map);
    button.addEventListener("click", () => {
      button.setAttribute("aria-pressed", !this.isOn);
      this.measure([]);
    });
    view.map.on("click", ({latlng}) => {
      if (this.isOn) this.measure(this.places.length === 1 ? [this.places[0], latlng] : [latlng]);
    });
  }

  get isOn() { return this.button.getAttribute("aria-pressed") === "true"; }

  /** Each line as parts of points and their distances from its start: the routes of the trips, and the tracks. */
  lines() {
    const routes = Array.from(this.view.trips.values(), ({frame}) => frame.features
      .filter(({geometry}) => geometry.meters).flatMap(({geometry}) => decodeLine(geometry, this.view)));
    return routes.concat(this.tracks.lines());
  }

  /** Finds the line that is nearest to all places, and the distance between them on it. */
  measure(places) {
    this.places = places;
    this.dots.clearLayers();
    let best = {gap: Ruler.reach};
    for (const line of places.length ? this.lines() : []) {
      const ends = places.map((place) => this.snap(line, place));
      const gap = Math.max(...ends.map((end) => end.gap));
      if (gap < best.gap) best = {gap, ends};
    }
    const {ends} = best;
    if (places.length && !ends) this.places = places.slice(0, -1);
    for (const {place} of ends || []) {
      this.dots.addLayer(L.circleMarker(place, {radius: 6, weight: 3, color: "#b3261e", interactive: false}));
    }
    if (!this.isOn) this.output.textContent = "";
    else if (!ends) this.output.textContent = places.length ? "No route is there." : "Click on a route.";
    else if (ends.length === 1) this.output.textContent = "Click on its other end.";
    else this.output.textContent = `${distance(Math.abs(ends[1].meters - ends[0].meters))} along the route`;
  }

  /** The point of a line that is nearest to a place, its distance from the start, and the gap in pixels. */
  snap(line, place) {
    const {map} = this.view;
    const click = map.latLngToLayerPoint(place);
    let best = {gap: Infinity};
    for (const {points, meters} of line) {
      const drawn = points.map((point) => map.latLngToLayerPoint(point));
      for (let index = 1; index < drawn.length; index += 1) {
        const [from, to] = [drawn[index - 1], drawn[index]];
        const point = L.LineUtil.closestPointOnSegment(click, from, to);
        const gap = click.distanceTo(point);
        if (gap >= best.gap) continue;
        const part = from.distanceTo(to) ? from.distanceTo(point) / from.distanceTo(to) : 0;
        best = {gap, place: map.layerPointToLatLng(point),
          meters: meters[index - 1] + part * (meters[index] - meters[index - 1])};
      }
    }
    return best;
  }
}

// How far from a line a click may be, in pixels.
Ruler.reach = 30;
