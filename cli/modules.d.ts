/** The build puts the text of a TOML file into the program. */
declare module '*.toml' {
  const text: string;
  export default text;
}
