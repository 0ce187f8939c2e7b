// What the interface says.
const words = document.getElementById("~words").dataset;
