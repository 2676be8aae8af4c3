import type { Metadata, Viewport } from "next";
import localFont from "next/font/local";
import type { ReactNode } from "react";
import { getDisplay } from "@/app/_lib/display-settings";
import { PreferencesProvider } from "@/components/format/preferences";
import "./globals.css";

const inter = localFont({
  src: "../node_modules/@fontsource-variable/inter/files/inter-latin-wght-normal.woff2",
  variable: "--font-inter",
  weight: "100 900",
  display: "swap",
});

export const metadata: Metadata = {
  title: { default: "Ante", template: "%s · Ante" },
  description:
    "Trade prediction markets from a dashboard or one API, with every cent accounted for.",
  icons: { icon: { url: "/icon.svg", sizes: "any", type: "image/svg+xml" } },
};

export const viewport: Viewport = {
  width: "device-width",
  initialScale: 1,
  viewportFit: "cover",
  interactiveWidget: "resizes-content",
};

export default async function RootLayout({ children }: { children: ReactNode }) {
  const display = await getDisplay();
  return (
    <html
      lang="en"
      className={inter.variable}
      data-theme={display.theme === "system" ? undefined : display.theme}
      data-dir={display.direction === "default" ? undefined : display.direction}
      data-density={display.density}
      data-rail={display.rail}
      data-hide-values={display.hideValues ? "" : undefined}
    >
      <body>
        <PreferencesProvider
          zone={display.zone}
          hour12={display.hour12}
          liveUpdates={display.liveUpdates}
        >
          {children}
        </PreferencesProvider>
      </body>
    </html>
  );
}
