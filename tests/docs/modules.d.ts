// Installed with the documentation, after the scripts are checked.
declare module '@viz-js/viz';
