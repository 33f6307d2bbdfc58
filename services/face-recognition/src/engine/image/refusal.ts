/** Why a photo cannot be looked at: told to the caller, who can send another one. */
export class Unreadable extends Error {}
