/** Whether PostgreSQL can keep a text: it has neither NUL nor halves of characters. */
export const isStorable = (text: string) => text.isWellFormed() && !text.includes('\0')
