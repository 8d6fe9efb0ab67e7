import { defineConfig } from '@playwright/test';
import tests from './playwright.config';

export default defineConfig({ ...tests, workers: 1, testMatch: 'screenshots.ts' });
