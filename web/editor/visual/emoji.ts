/** Emoji that are completed after a colon: their names and characters. Any other can be typed as it is. */
export const EMOJI: [name: string, code: string][] = [
  ["smile", "1f604"], ["grinning", "1f600"], ["joy", "1f602"], ["wink", "1f609"], ["heart_eyes", "1f60d"], ["thinking", "1f914"],
  ["sob", "1f62d"], ["tada", "1f389"], ["rocket", "1f680"], ["sparkles", "2728"], ["fire", "1f525"], ["star", "2b50"],
  ["heart", "2764"], ["thumbsup", "1f44d"], ["thumbsdown", "1f44e"], ["clap", "1f44f"], ["wave", "1f44b"], ["pray", "1f64f"],
  ["eyes", "1f440"], ["muscle", "1f4aa"], ["warning", "26a0"], ["bulb", "1f4a1"], ["memo", "1f4dd"], ["books", "1f4da"],
  ["book", "1f4d6"], ["bookmark", "1f516"], ["link", "1f517"], ["lock", "1f512"], ["unlock", "1f513"], ["key", "1f511"],
  ["gear", "2699"], ["wrench", "1f527"], ["hammer", "1f528"], ["bug", "1f41b"], ["zap", "26a1"], ["cloud", "2601"],
  ["sunny", "2600"], ["rainbow", "1f308"], ["snowflake", "2744"], ["package", "1f4e6"], ["chart", "1f4b9"], ["calendar", "1f4c5"],
  ["clock", "1f550"], ["hourglass", "231b"], ["mag", "1f50d"], ["bell", "1f514"], ["email", "1f4e7"], ["phone", "260e"],
  ["computer", "1f4bb"], ["globe", "1f310"], ["earth", "1f30d"], ["flag", "1f6a9"], ["pin", "1f4cc"], ["paperclip", "1f4ce"],
  ["scissors", "2702"], ["pencil", "270f"], ["question", "2753"], ["exclamation", "2757"], ["information", "2139"], ["check", "2705"],
  ["cross", "274c"], ["plus", "2795"], ["minus", "2796"], ["arrow_right", "27a1"], ["arrow_left", "2b05"], ["arrow_up", "2b06"],
  ["arrow_down", "2b07"], ["coffee", "2615"], ["cake", "1f370"], ["gift", "1f381"], ["medal", "1f3c5"], ["trophy", "1f3c6"],
  ["seedling", "1f331"], ["cat", "1f431"], ["dog", "1f436"], ["robot", "1f916"], ["construction", "1f6a7"], ["100", "1f4af"],
];
