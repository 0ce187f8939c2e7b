/** In the place of a change request's number: primary content, where a space is written directly. */
export const LIVE = 0;
