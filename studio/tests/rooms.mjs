// Every room with something in it: what is looked at by axe, and photographed.
import { twoReleases, series, settled, goTo } from "./harness.mjs";

export function prepare(folder) {
  twoReleases(folder);
  series(folder);
}

const policy = "policy=series.toml";
const table = "table=discharges.csv";

/** Name, address, and what to press until it shows what it is for. */
export const views = [
  { name: "table-empty", hash: "table" },
  { name: "table", hash: `table?${table}&${policy}`, ready: "[data-part=columns] li" },
  { name: "taxonomies", hash: `taxonomies?${table}&${policy}&column=job`, ready: ".tree li li" },
  { name: "taxonomy-large", hash: `taxonomies?${table}&${policy}&column=age`, ready: ".tree li li" },
  { name: "ranges", hash: `taxonomies?${table}&${policy}&column=days`, ready: ".track" },
  {
    name: "promise",
    hash: `promise?${table}&${policy}&with=until-november.csv&with=discharges.csv&k=2,5,10,20&recoding=local,global`,
    ready: "[data-part=costs]",
    press: [
      ["[data-part=which] button.main", "[data-part=advice]"],
      ["[data-part=costs] button.main", "[data-part=frontier]"],
    ],
  },
  {
    name: "audit",
    hash: `audit?${policy}&file=november.csv&file=december.csv`,
    ready: "[data-part=files] button.main",
    press: [["[data-part=files] button.main", "[data-part=audit-result]"]],
  },
  {
    name: "explain",
    hash: `audit?${policy}&file=november.csv&file=december.csv&born=2&person=62&person=female&person=00312&person=Teacher&person=14`,
    ready: "[data-part=explain] button.main",
    press: [["[data-part=explain] button.main", "[data-part=picture]"]],
    at: "[data-part=explain]",
  },
  {
    name: "audit-files",
    hash: "audit?file=november.csv&file=december.csv",
    ready: "[data-part=files] button.main",
    press: [["[data-part=files] button.main", "[data-part=audit-result]"]],
  },
  {
    name: "publish",
    hash: `publish?${table}&vault=vault`,
    ready: "[data-part=preview] button.main",
    press: [["[data-part=preview] button.main", "[data-part=previewed]"]],
  },
  {
    name: "series",
    hash: `series?${table}&vault=vault`,
    ready: "[data-part=verify] button.main",
    press: [
      ["[data-part=verify] button.main", "[data-part=verified]"],
      ["[data-part=forecast] button.main", "[data-part=forecasted]"],
    ],
  },
];

export async function show(page, view) {
  // From elsewhere, so that the room begins anew.
  await goTo(page, view.hash.startsWith("table") ? "series" : "table");
  await goTo(page, view.hash);
  if (view.ready) await page.waitForSelector(view.ready);
  await settled(page);
  for (const [button, result] of view.press ?? []) {
    if (!(await page.$(result))) {
      await page.click(button + ":enabled");
      await page.waitForSelector(`${result}, [role=alert]`, { timeout: 90000 });
      if (!(await page.$(result))) throw new Error(await page.innerText("[role=alert]"));
    }
    await settled(page);
  }
}
