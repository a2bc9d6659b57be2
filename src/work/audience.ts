/** Whether somebody follows what a traversal tells. */
export type Attendance = 'somebody' | 'nobody';

/** Those who follow a traversal: tells at once whether there are any, and each change until it is stopped. */
export type Audience = (tell: (attendance: Attendance) => void) => () => void;

/** An audience that never comes. */
export const NO_AUDIENCE: Audience = () => () => {};
