/** The build puts the text of a style sheet into the module. */
declare module '*.css' {
  const text: string;
  export default text;
}
