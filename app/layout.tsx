import type { Metadata, Viewport } from "next";
import localFont from "next/font/local";
import { connection } from "next/server";
import type { ReactNode } from "react";
import { getDisplay } from "@/app/_lib/display-settings";
import { PreferencesProvider } from "@/components/format/preferences";
import { listThemeColors } from "@/lib/browser/theme-color";
import { env } from "@/lib/env";
import "./globals.css";

const inter = localFont({
  src: "../node_modules/@fontsource-variable/inter/files/inter-latin-wght-normal.woff2",
  variable: "--font-inter",
  weight: "100 900",
  // A font that arrives later would wrap text anew and move what is below it.
  display: "optional",
});

const DESCRIPTION =
  "Trade prediction markets from a dashboard or one API, with every cent accounted for.";
/** Drawn by `npm run images`. */
const SHARE_IMAGE = { url: "/brand/share.png", width: 1200, height: 630, alt: DESCRIPTION };

export async function generateMetadata(): Promise<Metadata> {
  // A build has no environment; this is read per request.
  await connection();
  return {
    metadataBase: new URL(env().NEXTAUTH_URL),
    applicationName: "Ante",
    title: { default: "Ante", template: "%s · Ante" },
    description: DESCRIPTION,
    manifest: "/manifest.webmanifest",
    icons: {
      icon: [
        { url: "/favicon.ico", sizes: "32x32" },
        { url: "/icon.svg", sizes: "any", type: "image/svg+xml" },
      ],
      apple: { url: "/apple-touch-icon.png", sizes: "180x180" },
    },
    openGraph: { type: "website", siteName: "Ante", images: SHARE_IMAGE },
    twitter: { card: "summary_large_image", images: SHARE_IMAGE },
  };
}

export async function generateViewport(): Promise<Viewport> {
  const { theme } = await getDisplay();
  return {
    width: "device-width",
    initialScale: 1,
    viewportFit: "cover",
    interactiveWidget: "resizes-content",
    themeColor: listThemeColors(theme),
  };
}

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
