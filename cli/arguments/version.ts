/** The build replaces it. */
declare const PACKAGE_VERSION: string;

/** Returns the version of the package that the program is part of. */
export function packageVersion(): string {
  return PACKAGE_VERSION;
}
