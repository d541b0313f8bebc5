/* global L */
"use strict";

/** Lines of latitude and longitude with labels, in place of a base map. */
const Graticule = L.LayerGroup.extend({
  onAdd(map) {
    L.LayerGroup.prototype.onAdd.call(this, map);
    this.draw = () => this.drawLines(map);
    map.on("moveend resize", this.draw);
    this.draw();
  },

  onRemove(map) {
    map.off("moveend resize", this.draw);
    L.LayerGroup.prototype.onRemove.call(this, map);
  },

  drawLines(map) {
    this.clearLayers();
    const bounds = map.getBounds().pad(0.3);
    const step = niceStep((map.getBounds().getEast() - map.getBounds().getWest()) / 5);
    const color = getComputedStyle(document.documentElement).getPropertyValue("--grid").trim();
    const line = (from, to) =>
      this.addLayer(L.polyline([from, to], {color, weight: 1, opacity: 0.8, interactive: false, noClip: true}));
    const [south, north] = [Math.max(bounds.getSouth(), -85), Math.min(bounds.getNorth(), 85)];
    for (let x = Math.ceil(bounds.getWest() / step); x * step <= bounds.getEast(); x += 1) {
      line([south, x * step], [north, x * step]);
      this.label(map, [x * step, null], degrees(wrapped(x * step), step, "E", "W"));
    }
    for (let y = Math.ceil(south / step); y * step <= north; y += 1) {
      line([y * step, bounds.getWest()], [y * step, bounds.getEast()]);
      this.label(map, [null, y * step], degrees(y * step, step, "N", "S"));
    }
  },

  /** Adds a label at the top of a line of longitude, or at the right end of one of latitude. */
  label(map, [longitude, latitude], text) {
    const {x: width, y: height} = map.getSize();
    const center = map.getCenter();
    const place = map.latLngToContainerPoint(
      [latitude === null ? center.lat : latitude, longitude === null ? center.lng : longitude]);
    if (longitude === null) place.x = width; else place.y = 0;
    if (place.x < 60 || (latitude === null && place.x > width - 70) || place.y > height - 20 || place.y < 0) return;
    const icon = L.divIcon({
      className: longitude === null ? "grid-label latitude" : "grid-label", html: text, iconSize: [80, 14],
      iconAnchor: longitude === null ? [84, 16] : [-4, -4],
    });
    this.addLayer(L.marker(map.containerPointToLatLng(place), {icon, interactive: false, keyboard: false}));
  },
});

/** The nearest of 1, 2 and 5 times a power of ten. */
function niceStep(span) {
  const power = Math.pow(10, Math.floor(Math.log10(Math.min(Math.max(span, 1e-6), 60))));
  return [1, 2, 5, 10].map((factor) => factor * power).find((step) => step >= span) || 60;
}

function wrapped(longitude) { return ((longitude + 180) % 360 + 360) % 360 - 180; }

function degrees(value, step, positive, negative) {
  const digits = Math.max(0, -Math.floor(Math.log10(step)));
  return `${Math.abs(value).toFixed(digits)}° ${value < 0 ? negative : positive}`;
}
