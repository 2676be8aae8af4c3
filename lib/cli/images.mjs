// `npm run images`: draws the icons and the image of shared links from SVG, with Chromium.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { findChromium } from "./chromium.mjs";
import { install } from "./prepare.mjs";
import { requireNode, ROOT, say } from "./project.mjs";

const DARK = "#15181f";
const LIGHT = "#f2f3f5";
const FONT = "node_modules/@fontsource-variable/inter/files/inter-latin-wght-normal.woff2";

/** Draws the mark, two stacked chips of 20 by 14, in a box of its own. */
const drawMark = (x, y, width, color) => `
  <g transform="translate(${x} ${y}) scale(${width / 20})" fill="${color}">
    <rect y="6" width="20" height="8" rx="4" opacity=".45"/><rect width="20" height="8" rx="4"/></g>`;

/** Draws a square icon. `share` is the width of the mark; platforms cut the corners themselves. */
function drawIcon(size, { radius, share }) {
  const width = size * share;
  const mark = drawMark((size - width) / 2, (size - width * 0.7) / 2, width, LIGHT);
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}">
    <rect width="${size}" height="${size}" rx="${size * radius}" fill="${DARK}"/>${mark}</svg>`;
}

/** Draws the image of a shared link. */
function drawShareImage() {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="630" font-family="Inter">
    <rect width="1200" height="630" fill="${DARK}"/>
    ${drawMark(80, 92, 72, LIGHT)}
    <text x="176" y="139" font-size="56" font-weight="650" fill="${LIGHT}">Ante</text>
    <g font-size="64" font-weight="600" letter-spacing="-1.5" fill="${LIGHT}">
      <text x="80" y="330">Trade prediction markets</text>
      <text x="80" y="412">from a dashboard or one API.</text></g>
    <text x="80" y="540" font-size="30" fill="#a9adb8">An order placed once happens once,
      and every cent is accounted for.</text></svg>`;
}

/** Packs a PNG as an ICO file, which may hold PNG since Windows Vista. */
function packIcon(png, size) {
  const header = Buffer.alloc(22);
  header.writeUInt16LE(1, 2); // an icon
  header.writeUInt16LE(1, 4); // one image
  header.writeUInt8(size, 6);
  header.writeUInt8(size, 7);
  header.writeUInt16LE(1, 10); // planes
  header.writeUInt16LE(32, 12); // bits per pixel
  header.writeUInt32LE(png.length, 14);
  header.writeUInt32LE(header.length, 18); // where the image begins
  return Buffer.concat([header, png]);
}

requireNode();
process.chdir(ROOT);
await install({ withTools: true });
const { chromium } = await import("playwright");
const browser = await chromium.launch({
  executablePath: await findChromium(),
  args: ["--no-sandbox", "--disable-gpu"],
});
const page = await browser.newPage();
const font = `data:font/woff2;base64,${readFileSync(FONT).toString("base64")}`;

async function render(svg, width, height = width) {
  await page.setViewportSize({ width, height });
  await page.setContent(`<style>@font-face{font-family:Inter;font-weight:100 900;src:url(${font})}
    body{margin:0}svg{display:block}</style>${svg}`);
  await page.evaluate(() => document.fonts.ready);
  return page.screenshot({ omitBackground: true });
}

mkdirSync("public/brand", { recursive: true });
const rounded = { radius: 0.22, share: 0.62 };
const full = { radius: 0, share: 0.56 };
// The safe zone of a maskable icon is a circle of four fifths.
const maskable = { radius: 0, share: 0.5 };
const favicon = await render(drawIcon(32, { radius: 0.22, share: 0.72 }), 32);
writeFileSync("public/favicon.ico", packIcon(favicon, 32));
writeFileSync("public/apple-touch-icon.png", await render(drawIcon(180, full), 180));
writeFileSync("public/brand/icon-192.png", await render(drawIcon(192, rounded), 192));
writeFileSync("public/brand/icon-512.png", await render(drawIcon(512, rounded), 512));
writeFileSync("public/brand/icon-maskable-512.png", await render(drawIcon(512, maskable), 512));
writeFileSync("public/brand/share.png", await render(drawShareImage(), 1200, 630));
await browser.close();
say("Wrote the icons and the share image to public.");
