// What stands in a path is not checked by a schema. A name that cannot be is not there.
export const isInputName = (name: string) => /^[a-zA-Z]\w{0,127}$/.test(name)
export const isModelName = (name: string) => /^[\w-]{1,128}$/.test(name)
