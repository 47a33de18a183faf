/**
 * @file How the page is served and built: isolated from other origins, so that WebAssembly may have threads.
 *
 *     npm run demo:page          # builds nothing, serves http://localhost:5173
 *     npm run demo:page:build    # writes .cache/page, which any server of files can serve with the two headers
 */
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';
import { recorded } from './build/recorded.js';

const inProject = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));

export const ISOLATED = { 'Cross-Origin-Opener-Policy': 'same-origin', 'Cross-Origin-Embedder-Policy': 'require-corp' };

export default defineConfig({
  root: inProject('demos/page'),
  base: './',
  cacheDir: inProject('.cache/vite'),
  plugins: [recorded()],
  server: { headers: ISOLATED },
  preview: { headers: ISOLATED },
  worker: { format: 'es' },
  build: {
    target: 'es2022',
    outDir: inProject('.cache/page'),
    emptyOutDir: true,
    sourcemap: true,
    // gpu.js is one file of 1.1 MB, and comes only to those who choose it.
    chunkSizeWarningLimit: 1300,
  },
});
