/* global clock, element, shortName */
"use strict";

/** The checks on a recording: a toggle each, with its findings while it is on. */
class Checks {
  constructor(recording, onChange, onSelect) {
    this.recording = recording;
    this.onSelect = onSelect;
    const section = document.getElementById("checks");
    section.hidden = recording.checks.length === 0;
    const count = recording.checks.reduce((sum, check) => sum + check.findings.length, 0);
    section.querySelector("summary").textContent = `Checks (${count})`;
    this.boxes = recording.checks.map((check) => {
      const box = element("input", {type: "checkbox"});
      const label = element("label");
      label.append(box, element("span", {}, `${check.title} (${check.findings.length})`));
      const list = element("ol", {hidden: true});
      section.append(label, element("p", {}, check.explanation), list);
      box.addEventListener("change", () => {
        this.fill(list, check);
        list.hidden = !box.checked;
        onChange(this.findings());
      });
      return {box, check};
    });
    const compared = this.boxes.find(({check}) => check.id === "disagreement");
    if (!compared) return;
    section.open = true;
    compared.box.click();
  }

  fill(list, check) {
    if (list.childElementCount) return;
    for (const finding of check.findings) {
      const trip = finding.trip === undefined ? "" : ` ${shortName(this.recording.trips[finding.trip])}`;
      const button = element("button", {type: "button"}, `${clock(finding.time)}${trip}: ${finding.text}`);
      button.addEventListener("click", () => this.onSelect(finding));
      const item = element("li");
      item.append(button);
      list.append(item);
    }
  }

  findings() {
    return this.boxes.filter(({box}) => box.checked).reduce((all, {check}) => all.concat(check.findings), []);
  }
}
