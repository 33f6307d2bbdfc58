/** A key of a module: its key ring is the id of the module, as its endpoint has it. */
const form =
  /^projects\/[^/]{1,100}\/locations\/[^/]{1,100}\/keyRings\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\/cryptoKeys\/([\w-]{1,64})$/

export const keyNameExample = 'projects/P/locations/L/keyRings/MODULE_ID/cryptoKeys/KEY'

/** Address of a key, by which the service that holds it knows it; undefined if it is not the name of one. */
export function addressOfKey(name: string): string | undefined {
  const [, module, key] = form.exec(name) ?? []
  return module && key && `https://platform/modules/${module}/keys/${key}`
}
