/** For files and folders with tenant data: unreadable to other users, whatever the umask. */
export const privateFile = { mode: 0o600 } as const
export const privateFolder = { recursive: true, mode: 0o700 } as const
