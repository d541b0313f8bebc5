/* global L, decodeLine, element */
"use strict";

/** The track of a vehicle as the driver's app sent it and as Fleet Engine accepted it, while the switch is on. */
class Tracks {
  constructor(view, label) {
    this.view = view;
    this.label = label;
    this.box = label.querySelector("input");
    this.group = L.layerGroup();
    this.box.addEventListener("change", () => this.toggle());
  }

  /** Shows `{sent, accepted, problems: [{time, place, text}]}`, or nothing; a track has `paths` and `meters`. */
  show(tracks) {
    if (this.tracks === tracks) return;
    this.tracks = tracks;
    this.label.hidden = !tracks;
    this.group.clearLayers();
    this.points = new Map();
    // Without a difference the lines would only cover each other.
    this.box.checked = Boolean(tracks) && tracks.problems.length > 0;
    this.toggle();
    if (!tracks) return;
    for (const [name, style] of Object.entries(Tracks.styles)) {
      this.group.addLayer(L.polyline(decodeLine(tracks[name], this.view).map(({points}) => points),
        Object.assign({interactive: false}, style)));
    }
    // They are drawn on the canvas of the map, so that thousands need no elements.
    for (const {time, place, text} of tracks.problems) {
      const {color} = Tracks.styles.sent;
      const point = L.circleMarker(this.view.place(place), {radius: 5, weight: 2, color, fillOpacity: 0.3});
      point.bindPopup(() => element("span", {}, text));
      this.group.addLayer(point);
      this.points.set(time, point);
    }
  }

  toggle() { this.group[this.box.checked ? "addTo" : "remove"](this.view.map); }

  /** Opens the text of the location that was not accepted at this time, if there is one. */
  reveal(time) {
    const point = this.points && this.points.get(time);
    if (!point) return;
    this.box.checked = true;
    this.toggle();
    this.view.setFollowing(false);
    this.view.map.panTo(point.getLatLng());
    point.openPopup();
  }

  /** The tracks on the map, for the ruler. */
  lines() {
    if (!this.tracks || !this.box.checked) return [];
    return Object.keys(Tracks.styles).map((name) => decodeLine(this.tracks[name], this.view));
  }
}

Tracks.styles = {
  accepted: {color: "#3c8c5a", weight: 3},
  sent: {color: "#d9730d", weight: 2, dashArray: "6 6"},
};
