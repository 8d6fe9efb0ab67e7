/** The bytes of the module that unpacks the core. The build assembles them from pkg-template/unpack.wat. */
export declare const unpacker: readonly number[];
