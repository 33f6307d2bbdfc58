/** One part of a subject, whatever the name: two names never make the same part, and none makes two. */
export const subjectPart = (name: string) => encodeURIComponent(name).replaceAll('.', '%2E').replaceAll('*', '%2A')
