/** Replies without a body. */
export const done = () => ({ status: 200, body: undefined }) as const
export const begun = () => ({ status: 202, body: undefined }) as const
