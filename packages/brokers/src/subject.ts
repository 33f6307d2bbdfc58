/** Encodes a name as one token of a subject, injectively. */
export const subjectPart = (name: string) => encodeURIComponent(name).replaceAll('.', '%2E').replaceAll('*', '%2A')
