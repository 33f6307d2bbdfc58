/** Sequence number of the change that a reply reflects, for read-your-writes clients. */
export const syncToken = (sequence: string) => `icosa=${Buffer.from(`0:${sequence}`).toString('base64')};sn=${sequence}`
