/** The sail and hull of the tile and of the pictures, drawn on a 40 grid. */
export const SAIL = "M26 6.5c.3 4.8.6 9.6.9 14.4l-14 .1C18.6 18.3 23.5 13.2 26 6.5Z";
export const HULL = "M7.5 24.5h25c-.5 4.9-3.6 8.2-7.4 9.5H14.9c-3.8-1.3-6.9-4.6-7.4-9.5Z";
