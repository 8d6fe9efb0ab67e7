import { defineConfig } from '@playwright/test';
import tests from './playwright.config';

const { projects: _, ...settings } = tests;

export default defineConfig({ ...settings, workers: 1, testMatch: 'screenshots.ts' });
