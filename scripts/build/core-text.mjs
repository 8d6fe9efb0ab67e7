export function coreSourceModule(core) {
  return `const hex='${core.toString('hex')}';\nexport const coreSource = () => Uint8Array.from(hex.match(/../g), (b)=>parseInt(b,16));`;
}
