/** The number of the change that a reply reflects, for clients that wait to see their own. */
export const syncToken = (sequence: string) => `icosa=${Buffer.from(`0:${sequence}`).toString('base64')};sn=${sequence}`
