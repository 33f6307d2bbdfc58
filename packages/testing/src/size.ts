/** How much of something a test tries: less in every run, all of it in the nightly one (`npm run test:nightly`). */
export const sized = (usual: number, nightly: number): number => (process.env.NIGHTLY ? nightly : usual)
