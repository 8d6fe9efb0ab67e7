// Installed with the tests of this folder, after the scripts are checked.
declare module 'typescript-5.9';
