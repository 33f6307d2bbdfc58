/** For files and folders with data of tenants: whatever the umask, no other user of the machine reads them. */
export const privateFile = { mode: 0o600 } as const
export const privateFolder = { recursive: true, mode: 0o700 } as const
