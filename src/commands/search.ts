export const run = async () => 0;
