import vue from '@vitejs/plugin-vue';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

const at = (path) => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  base: './',
  plugins: [vue()],
  // A program of yours installs the package; here it is the one that `make build` has built.
  resolve: { alias: { 'sales-order-intake': at('../../pkg/dist/esm/index.js') } },
  build: {
    rollupOptions: { input: { react: at('react/index.html'), vue: at('vue/index.html') } },
    chunkSizeWarningLimit: 1000,
  },
});
